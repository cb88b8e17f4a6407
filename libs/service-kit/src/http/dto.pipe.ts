import { AppError } from '@malote/app-error';
import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { CompiledDto } from './compiled-dto.ts';
import { fieldProblems } from './field-problems.ts';
import { ignoresNameCase } from './ignore-name-case.decorator.ts';
import { KnownNames } from './known-names.ts';
import { refusesUnknownFields } from './refuse-unknown-fields.decorator.ts';

const PLAIN_TYPES = new Set<unknown>([undefined, String, Number, Boolean, Array, Object, Date, Buffer]);
const PLACES = { body: 'body', query: 'query string', param: 'path', custom: 'request' } as const;

/**
 * Turns what came in into the DTO its handler asks for. Fields a DTO does not know are dropped, since partners send more than we
 * read; a DTO marked `@RefuseUnknownFields()` refuses them. Validators must be synchronous: no DTO looks into the database.
 */
@Injectable()
export class DtoPipe implements PipeTransform {
  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (!metatype || PLAIN_TYPES.has(metatype) || type === 'custom') return value;
    const given: unknown = value ?? {};
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw invalid(type, [{ pointer: '', code: 'is-object', message: 'must be an object' }]);
    }
    return toDto(metatype as Type<object>, given, type);
  }
}

function toDto(dto: Type<object>, given: object, place: ArgumentMetadata['type']): object {
  const named = ignoresNameCase(dto) ? KnownNames.of(dto).rename(given as Record<string, unknown>) : given;
  const accepted = CompiledDto.of(dto)?.accept(named);
  if (accepted) return accepted;
  const made = plainToInstance(dto, named, { exposeUnsetFields: false });
  const errors = validateSync(made, {
    whitelist: true,
    forbidNonWhitelisted: refusesUnknownFields(dto),
    forbidUnknownValues: false,
    validationError: { target: false },
  });
  if (errors.length > 0) throw invalid(place, fieldProblems(errors));
  return made;
}

function invalid(type: ArgumentMetadata['type'], fields: ReturnType<typeof fieldProblems>): AppError {
  return new AppError('invalid', 'validation-failed', `The ${PLACES[type]} is not valid`, { fields });
}
