import { STATUS_CODES } from 'node:http';
import { AppError, type AppErrorKind } from '@malote/app-error';
import { HttpException } from '@nestjs/common';
import { errorCode } from '../error-code.ts';
import { HttpProblem } from './http-problem.ts';
import { type Problem, problem } from './problem.ts';

export interface ProblemAnswer {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

/** A refused body is 400 whether its JSON or its meaning is wrong: partners retry neither, and one status is easier to handle. */
const STATUS_OF_KIND = {
  invalid: 400,
  'not-found': 404,
  conflict: 409,
  forbidden: 403,
  unavailable: 503,
} as const satisfies Record<AppErrorKind, number>;

const DEFAULT_RETRY_AFTER_SECONDS = 5;

const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'bad-request',
  404: 'not-found',
  408: 'request-timeout',
  413: 'body-too-large',
  414: 'uri-too-long',
  415: 'unsupported-media-type',
  431: 'headers-too-large',
  503: 'unavailable',
};

/** Any error a request can end in, as the problem its caller is told. Unexpected errors say nothing of themselves. */
export function toProblem(error: unknown): ProblemAnswer {
  if (error instanceof AppError) return fromAppError(error);
  if (error instanceof HttpProblem) {
    return { problem: problem(error.status, error.code, error.message), headers: error.headers };
  }
  const status = statusOf(error);
  if (status >= 400 && status < 500 && error instanceof Error) {
    return { problem: problem(status, CODE_OF_STATUS[status] ?? codeOf(status), error.message), headers: {} };
  }
  if (status === 503) {
    const retry = { 'retry-after': String(DEFAULT_RETRY_AFTER_SECONDS) };
    return { problem: problem(503, 'unavailable', 'The service cannot answer now'), headers: retry };
  }
  return { problem: problem(500, 'internal-error', 'Something went wrong on our side'), headers: {} };
}

function fromAppError(error: AppError): ProblemAnswer {
  const base = problem(STATUS_OF_KIND[error.kind], error.code, error.message);
  const retryAfter =
    error.retryAfterSeconds ?? (error.kind === 'unavailable' ? DEFAULT_RETRY_AFTER_SECONDS : undefined);
  return {
    problem: {
      ...base,
      ...(error.fields.length > 0 && { errors: error.fields }),
      ...(Object.keys(error.details).length > 0 && { details: error.details }),
    },
    headers: retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) },
  };
}

/** Nest's own exceptions and Fastify's errors carry a status; nothing else may choose one, whatever it calls its fields. */
function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const isFastify = error instanceof Error && errorCode(error)?.startsWith('FST_') && 'statusCode' in error;
  return isFastify && typeof error.statusCode === 'number' ? error.statusCode : 500;
}

function codeOf(status: number): string {
  return (STATUS_CODES[status] ?? 'bad request').toLowerCase().replaceAll(/[^a-z]+/g, '-');
}
