import type { Problem } from '@malote/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_HEADERS } from './page-headers.ts';
import { isPagePath } from './page-paths.ts';
import { returnPath } from './return-path.ts';
import { problemPage } from './views/problem.view.ts';

/**
 * Every error becomes a problem in one place, which also logs it. On the page, this is where a problem becomes something to
 * read, or leads to the login or the change of password; also where no controller ever saw the request.
 */
export function showProblemsAsPages(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const type = String(reply.getHeader('content-type') ?? '');
    const isProblem = type.startsWith('application/problem+json') && typeof payload === 'string';
    if (isProblem && isForPeople(request)) done(null, show(JSON.parse(payload) as Problem, request, reply));
    else done(null, payload);
  });
}

/** At an address that is nobody's, only a browser is a person. */
function isForPeople({ originalUrl, is404, headers }: FastifyRequest): boolean {
  return isPagePath(originalUrl) && (!is404 || (headers.accept ?? '').includes('text/html'));
}

function show(problem: Problem, request: FastifyRequest, reply: FastifyReply): string {
  reply.removeHeader('www-authenticate');
  if (problem.status === 401) return lead(loginPath(problem, request), request, reply);
  if (problem.code === 'password-change-required') return lead('/senha', request, reply);
  void reply.headers(PAGE_HEADERS);
  return problemPage(request.signedIn, problem, reply.getHeader('retry-after')).toString();
}

function lead(path: string, { headers }: FastifyRequest, reply: FastifyReply): string {
  reply.removeHeader('content-type');
  // A script would follow the redirect and put the login into the middle of its page.
  if (headers['hx-request'] === undefined) void reply.code(303).header('location', path);
  else void reply.code(200).header('hx-redirect', path);
  return '';
}

function loginPath(problem: Problem, request: FastifyRequest): string {
  const wanted = returnPath(pageOf(wantedPath(request)));
  const ended = endOf(problem, request);
  const query = new URLSearchParams({
    ...(wanted !== '/' && { voltar: wanted }),
    ...(ended !== undefined && { aviso: ended }),
  }).toString();
  return query === '' ? '/entrar' : `/entrar?${query}`;
}

/** What to say at the login; nothing to who was not here before. */
function endOf({ code }: Problem, { method }: FastifyRequest): string | undefined {
  // Browsers drop the cookie of a session that is over, but nobody sends a form without having seen it.
  if (method === 'POST') return 'formulario';
  return code === 'session-missing' ? undefined : 'sessao';
}

/** The page the person was on: part of one is no place to come back to, and a form that was sent cannot be sent again. */
function wantedPath({ method, originalUrl, headers, host }: FastifyRequest): string | undefined {
  const { 'hx-current-url': current, referer } = headers;
  if (typeof current === 'string' && URL.canParse(current)) return pathOf(new URL(current));
  if (method === 'GET') return originalUrl;
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const from = new URL(referer);
  return from.host === host ? pathOf(from) : undefined;
}

function pathOf({ pathname, search }: URL): string {
  return pathname + search;
}

/** Files, and answers to forms, are no places to come back to either; the pages they belong to are. */
function pageOf(path: string | undefined): string | undefined {
  return path
    ?.replace(/^\/registro\.csv(?=\?|$)/, '/registro')
    .replace(/^\/numeros(?=\?|$)/, '/')
    .replace(/^(\/admin\/\w+\/[\w-]+)\/.*/, '$1');
}
