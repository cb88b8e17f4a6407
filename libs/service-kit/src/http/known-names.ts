import { AppError } from '@malote/app-error';
import type { Type } from '@nestjs/common';
import { validatedProperties } from '../docs/validation-schema.ts';
import { toPointer } from './json-pointer.ts';

type Plain = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** The names of a DTO, to be found whatever their case. */
export class KnownNames {
  static readonly #known = new WeakMap<Type, KnownNames>();
  readonly #byLowerCase = new Map<string, string>();
  readonly #exact = new Set<string>();
  readonly #nested = new Map<string, Type>();

  private constructor(dto: Type) {
    for (const { name, nested } of validatedProperties(dto)) {
      this.#exact.add(name);
      this.#byLowerCase.set(name.toLowerCase(), name);
      if (nested) this.#nested.set(name, nested);
    }
  }

  static of(dto: Type): KnownNames {
    let names = KnownNames.#known.get(dto);
    if (!names) KnownNames.#known.set(dto, (names = new KnownNames(dto)));
    return names;
  }

  /** The same content under the names of the DTO; what it does not know keeps its name. Most partners write them as we do. */
  rename(given: Plain, path: Path = []): Plain {
    if (!this.differs(given)) return given;
    const renamed: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(given)) {
      const name = this.#byLowerCase.get(key.toLowerCase()) ?? key;
      if (Object.hasOwn(renamed, name)) throw givenTwice([...path, key]);
      const nested = this.#nested.get(name);
      renamed[name] = nested ? renameInside(KnownNames.of(nested), value, [...path, name]) : value;
    }
    return renamed;
  }

  /** Whether a name is written otherwise than the DTO does. */
  differs(given: Plain): boolean {
    for (const key in given) {
      const nested = this.#nested.get(key);
      if (nested ? differsInside(KnownNames.of(nested), given[key]) : this.#isMisspelt(key)) return true;
    }
    return false;
  }

  #isMisspelt(key: string): boolean {
    if (this.#exact.has(key)) return false;
    return this.#byLowerCase.has(key.toLowerCase());
  }
}

function differsInside(names: KnownNames, value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => differsInside(names, item));
  return isPlain(value) && names.differs(value);
}

function renameInside(names: KnownNames, value: unknown, path: Path): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => renameInside(names, item, [...path, index]));
  }
  return isPlain(value) ? names.rename(value, path) : value;
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null;
}

function givenTwice(path: Path): AppError {
  const message = 'The same name appears twice, in different case';
  const fields = [{ pointer: toPointer(path), code: 'duplicate-key', message }];
  return new AppError('invalid', 'duplicate-key', message, { fields });
}
