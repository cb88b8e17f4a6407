import { parseInstant } from '@malote/service-kit';
import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { buildMessage, ValidateBy } from 'class-validator';

const MIN_REASON = 5;
const MAX_REASON = 500;
const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/** Why somebody changes something; blanks are no reason, and what the column cannot hold is refused. */
export function IsReason(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      description: 'Why; kept with your name',
      type: 'string',
      minLength: MIN_REASON,
      maxLength: MAX_REASON,
      example: 'The gateway was down on Monday',
    }),
    ValidateBy({
      name: 'isReason',
      validator: {
        // class-validator counts an emoji as one character, SQL Server as two.
        validate: (value) =>
          typeof value === 'string' && value.trim().length >= MIN_REASON && value.length <= MAX_REASON,
        defaultMessage: buildMessage(() => `$property must have ${MIN_REASON} to ${MAX_REASON} characters`),
      },
    }),
  );
}

/** The origin as workers know it, when the text is one. */
export function originIn(text: string): string | undefined {
  const origin = originOfAddress(text);
  return origin === text.toLowerCase() ? origin : undefined;
}

function originOfAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}

export function IsOrigin(): PropertyDecorator {
  return ValidateBy({
    name: 'isOrigin',
    validator: {
      validate: (value) => typeof value === 'string' && value.length <= 300 && originIn(value) !== undefined,
      defaultMessage: (args) => {
        const wanted =
          '$property must be an origin of at most 300 characters, such as https://gateway.example';
        const origin = typeof args?.value === 'string' ? originOfAddress(args.value) : undefined;
        return origin ? `${wanted}, without a path; did you mean ${origin}?` : wanted;
      },
    },
  });
}

/** A moment both engines can compare; farther ones are no different from the first and the last. */
export function momentOf(text: string | undefined): Date | undefined {
  const moment = text === undefined ? undefined : parseInstant(text);
  return moment && new Date(Math.min(LAST_MOMENT, Math.max(FIRST_MOMENT, moment.getTime())));
}
