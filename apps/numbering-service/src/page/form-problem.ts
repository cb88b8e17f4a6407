import { AppError } from '@malote/app-error';
import { HttpProblem } from '@malote/service-kit';
import { text } from './messages.ts';
import { sentences } from './problem-messages.ts';
import { waitOf } from './wait.ts';

/** Why a form was refused, in words, by field where it is a field's fault. */
export interface FormProblem {
  readonly status: number;
  readonly code: string;
  readonly summary: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

type Rules = Readonly<Record<string, string>>;

const STATUS = { invalid: 400, conflict: 409 } as const;
/** Refusals that come without a field, and the field a person would look at. */
const FIELD_OF: Readonly<Record<string, string>> = {
  'email-taken': 'email',
  'sequence-beyond': 'lastNumber',
  'range-exists': 'series',
};
const ABOUT_FORMS = new Set(['login-failed', 'temporary-password-expired', 'too-many-attempts']);

/** Undefined for what is no fault of the form. */
export function formProblem(error: unknown, rules: Rules): FormProblem | undefined {
  if (error instanceof HttpProblem && ABOUT_FORMS.has(error.code)) return fromHttp(error);
  if (!(error instanceof AppError) || (error.kind !== 'invalid' && error.kind !== 'conflict')) {
    return undefined;
  }
  const fields: Record<string, string> = {};
  const own = sentenceOf(error.code, error.details);
  for (const { pointer, code } of error.fields) {
    const name = pointer.slice(1);
    fields[name] ??= sentenceOf(code, error.details) ?? own ?? rules[name] ?? text.checkFields;
  }
  const known = FIELD_OF[error.code];
  if (known !== undefined && own !== undefined) fields[known] = own;
  return {
    status: STATUS[error.kind],
    code: error.code,
    summary: own ?? text.checkFields,
    fields,
    headers: {},
  };
}

export function sentenceOf(
  code: string,
  details: Readonly<Record<string, unknown>> = {},
): string | undefined {
  const sentence = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  return typeof sentence === 'function' ? sentence(details) : sentence;
}

function fromHttp({ status, code, headers }: HttpProblem): FormProblem {
  const wait = waitOf(headers['retry-after']);
  const summary = [sentenceOf(code), wait && text.problem.wait(wait)].filter(Boolean).join(' ');
  return { status, code, summary, fields: {}, headers };
}
