import 'reflect-metadata';

/** `group`: all variables whose names begin with the given one, as a record of what follows it. */
export type EnvKind = 'text' | 'integer' | 'boolean' | 'duration' | 'list' | 'group';

export interface EnvOptions {
  /** How the text becomes a value. Durations take `500ms`, `30s`, `5m`, `8h` or plain milliseconds and yield milliseconds. */
  readonly as?: EnvKind;
  /** Used everywhere when the variable is not set. */
  readonly default?: string;
  /** Used outside production only. Alone, it makes the variable required in production. */
  readonly development?: string;
  readonly production?: string;
}

export interface EnvVariable extends EnvOptions {
  readonly name: string;
  readonly property: string;
}

const KEY = Symbol('env variables');

/** Binds a property of a config class to one environment variable. A subclass may bind it again with other defaults. */
export function Env(name: string, options: EnvOptions = {}): PropertyDecorator {
  return (target, property) => {
    const own = new Map(variablesByProperty(target));
    own.set(String(property), { ...options, name, property: String(property) });
    Reflect.defineMetadata(KEY, own, target);
  };
}

export function envVariables(configClass: new () => object): EnvVariable[] {
  return [...variablesByProperty(configClass.prototype as object).values()];
}

function variablesByProperty(target: object): ReadonlyMap<string, EnvVariable> {
  return (Reflect.getMetadata(KEY, target) as ReadonlyMap<string, EnvVariable> | undefined) ?? new Map();
}
