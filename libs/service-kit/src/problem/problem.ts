import type { FieldProblem } from '@malote/app-error';

export const PROBLEM_TYPE = 'application/problem+json';

/** RFC 9457, with the members every service of the suite adds. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance?: string;
  readonly code: string;
  readonly requestId?: string;
  readonly traceId?: string;
  readonly errors?: readonly FieldProblem[];
  readonly details?: Readonly<Record<string, unknown>>;
}

/** `type` and `title` follow from the code, so that a client can rely on either. */
export function problem(status: number, code: string, detail: string): Problem {
  return { type: `urn:malote:problem:${code}`, title: titleOf(code), status, detail, code };
}

function titleOf(code: string): string {
  const words = code.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
