import { AppError } from '@malote/app-error';
import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { fieldProblems } from './field-problems.ts';
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
    if (typeof given !== 'object' || Array.isArray(given)) {
      throw invalid(type, [{ pointer: '', code: 'is-object', message: 'must be an object' }]);
    }
    const dto = plainToInstance(metatype, given, { exposeUnsetFields: false }) as object;
    const errors = validateSync(dto, {
      whitelist: true,
      forbidNonWhitelisted: refusesUnknownFields(metatype),
      forbidUnknownValues: false,
      validationError: { target: false },
    });
    if (errors.length > 0) throw invalid(type, fieldProblems(errors));
    return dto;
  }
}

function invalid(type: ArgumentMetadata['type'], fields: ReturnType<typeof fieldProblems>): AppError {
  return new AppError('invalid', 'validation-failed', `The ${PLACES[type]} is not valid`, { fields });
}
