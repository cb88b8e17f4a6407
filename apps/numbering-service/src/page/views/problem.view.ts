import type { Problem } from '@malote/service-kit';
import type { SignedIn } from '../../auth/signed-in.ts';
import { sentenceOf } from '../form-problem.ts';
import { type Html, html } from '../html.ts';
import { text } from '../messages.ts';
import { waitOf } from '../wait.ts';
import { layout } from './layout.ts';

const LIKE: Readonly<Record<number, 400 | 404>> = { 405: 404, 413: 400, 414: 400, 415: 400, 431: 400 };

/** What went wrong, for whoever asked for a page. */
export function problemPage(user: SignedIn | undefined, problem: Problem, retryAfter: unknown): Html {
  const [title, general] = wordsOf(problem.status);
  const sentence = sentenceOf(problem.code, problem.details);
  const wait = waitOf(retryAfter);
  return layout(user, {
    title,
    isRefusal: true,
    isNarrow: true,
    body: html`<p class="lead">${sentence ?? general}</p>
      ${wait !== undefined && html`<p>${text.problem.wait(wait)}</p>`}
      ${
        (problem.status >= 500 || sentence === undefined) &&
        problem.requestId !== undefined &&
        html`<p class="hint">${text.problem.requestId} <code>${problem.requestId}</code></p>`
      }
      <p class="buttons"><a class="button" href="/">${text.problem.home}</a></p>`,
  });
}

function wordsOf(status: number): readonly [string, string] {
  const known = LIKE[status] ?? status;
  switch (known) {
    case 400:
    case 403:
    case 404:
    case 409:
    case 429:
    case 503:
      return text.problem[known];
    default:
      return text.problem[500];
  }
}
