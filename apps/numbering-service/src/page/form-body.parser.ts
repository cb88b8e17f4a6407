import { HttpProblem } from '@malote/service-kit';
import type { FastifyInstance } from 'fastify';
import { isPagePath } from './page-paths.ts';

const FORM = /^application\/x-www-form-urlencoded(?:\s*;|$)/i;
const MAX_BYTES = 65_536;

/** Forms, for the page alone: what an API takes from a form, another site's form can send it. */
export function acceptForms(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(
    FORM,
    { parseAs: 'string', bodyLimit: MAX_BYTES },
    ({ originalUrl }, body, done) => {
      if (isPagePath(originalUrl)) done(null, parseForm(String(body)));
      else done(new HttpProblem(415, 'unsupported-media-type', 'The body must be JSON'));
    },
  );
}

/** The last of several values counts. */
export function parseForm(body: string): Record<string, string> {
  const fields = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(body)) fields[name] = value;
  return fields;
}
