import { emptySchemas } from '@malote/service-kit/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describeNumberingApi } from '../testing/numbering-api.ts';

interface Route {
  readonly method: string;
  readonly path: string;
}

type Operations = Record<string, { readonly security?: readonly Record<string, readonly string[]>[] }>;

const OPEN_EARLY = ['GET /api/auth/me', 'POST /api/auth/password'];
/** Whatever is not named here is for admins alone. */
const OPEN_TO_CLERKS = [
  ...OPEN_EARLY,
  'GET /api/numbers',
  'POST /api/numbers',
  'GET /api/numbers/{id}',
  'PATCH /api/numbers/{id}',
  'GET /api/numbers/{id}/history',
  'POST /api/numbers/{id}/annulment',
  'GET /api/numbers/next',
  'GET /api/numbers/export',
  'GET /api/numbers/audit',
  'GET /api/document-types',
  'GET /api/document-types/{id}',
  'GET /api/sequences',
  'GET /api/sequences/adjustments',
];
const nameOf = ({ method, path }: Route) => `${method} ${path}`;

describeNumberingApi('the routes of clerks', (api) => {
  let document: OpenAPIObject;
  let routes: readonly Route[];

  beforeAll(async () => {
    const response = await api.service.fetch('/openapi.json');
    document = (await response.json()) as OpenAPIObject;
    routes = clerkRoutes(document);
  });

  const call = (route: Route, token?: string) =>
    api.ask(route.path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'), {
      method: route.method,
      token,
      ...(route.method !== 'GET' && { json: {} }),
    });

  it('are these at least', () => {
    expect(routes.map(nameOf)).toEqual(
      expect.arrayContaining([
        ...OPEN_EARLY,
        'GET /api/users',
        'POST /api/users',
        'GET /api/users/{id}',
        'PATCH /api/users/{id}',
        'POST /api/users/{id}/deactivate',
        'POST /api/users/{id}/activate',
        'POST /api/users/{id}/reset-password',
        'POST /api/users/{id}/end-sessions',
        'GET /api/admin-actions',
      ]),
    );
  });

  it('are closed without a session, and to partners', async () => {
    const partner = await api.service.token({ scope: 'numbers:write numbers:read' });
    for (const route of routes) {
      const without = await call(route);
      expect([nameOf(route), without.status, without.body.code]).toEqual([
        nameOf(route),
        401,
        'session-missing',
      ]);
      expect(without.headers.get('www-authenticate')).toBe('Bearer realm="malote"');
      const foreign = await call(route, partner);
      expect([nameOf(route), foreign.status, foreign.body.code]).toEqual([
        nameOf(route),
        401,
        'session-invalid',
      ]);
      expect(foreign.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  it('are closed before a temporary password is replaced, but for what it takes', async () => {
    const { temporaryPassword } = await api.firstAdmin();
    const browser = api.browser();
    await browser.logIn('ana@itajai.example', temporaryPassword);
    for (const route of routes) {
      const { status, body } = await call(route, browser.accessToken);
      const refused = status === 403 && body.code === 'password-change-required';
      expect([nameOf(route), refused]).toEqual([nameOf(route), !OPEN_EARLY.includes(nameOf(route))]);
    }
    expect(await browser.get('/api/auth/me')).toMatchObject({
      status: 200,
      body: { user: { email: 'ana@itajai.example' }, mustChangePassword: true },
    });
  });

  it('of admins are closed to others', async () => {
    const admin = await api.admin();
    const clerk = await api.clerk(admin, 'bia@itajai.example', 'Bia Lima');
    expect(routes.map(nameOf)).toEqual(expect.arrayContaining(OPEN_TO_CLERKS));
    const closed = routes.filter((route) => !OPEN_TO_CLERKS.includes(nameOf(route)));
    expect(closed.length).toBeGreaterThanOrEqual(15);
    for (const route of closed) {
      const { status, body } = await call(route, clerk.accessToken);
      expect([nameOf(route), status, body.code]).toEqual([nameOf(route), 403, 'admins-only']);
    }
  });

  it('leave the name of the caller in the log, by id', async () => {
    const admin = await api.admin();
    await admin.get('/api/users');
    const { id } = await api.userOf('ana@itajai.example');
    const lines = api.service.logs.find('request').filter(({ route }) => route === '/api/users');
    expect(lines.at(-1)).toMatchObject({ subject: id, status: 200 });
  });

  describe('their documentation', () => {
    it('is valid, and says something of every field', async () => {
      expect(await new Validator().validate({ ...document })).toMatchObject({ valid: true });
      expect(emptySchemas(document)).toEqual([]);
    });

    it('says what comes in and out', () => {
      expect(document.components?.schemas).toMatchObject({
        LoginDto: {
          required: ['email', 'password'],
          additionalProperties: false,
          properties: { email: { type: 'string', minLength: 1, maxLength: 254 } },
        },
        PasswordChangeDto: {
          required: ['newPassword'],
          properties: { newPassword: { type: 'string', minLength: 15, maxLength: 128 } },
        },
        SessionDto: {
          properties: {
            accessToken: { type: 'string' },
            expiresInSeconds: { type: 'number' },
            user: { $ref: '#/components/schemas/SessionUserDto' },
            mustChangePassword: { type: 'boolean' },
          },
        },
        NewUserDto: {
          required: ['email', 'name', 'role'],
          properties: { email: { format: 'email' }, role: { enum: ['admin', 'user'] } },
        },
        UserDto: { properties: { lastLoginAt: { type: ['string', 'null'], format: 'date-time' } } },
      });
      expect(document.components?.schemas?.UserChangesDto).not.toHaveProperty('required');
      expect(JSON.stringify(document)).not.toContain('passwordHash');
    });

    it.each([
      ['/api/auth/login', ['200', '400', '401', '403', '429', '503']],
      ['/api/auth/refresh', ['200', '401', '403']],
      ['/api/auth/logout', ['204', '403']],
      ['/api/auth/password', ['200', '400', '401', '403', '409', '429']],
      ['/api/users', ['201', '400', '401', '403', '409']],
      ['/api/users/{id}/deactivate', ['200', '401', '403', '404', '409']],
    ])('says how POST %s can end', (path, statuses) => {
      expect(Object.keys(document.paths[path]?.post?.responses ?? {})).toEqual(
        expect.arrayContaining(statuses),
      );
    });
  });
});

/** They need a bearer token without any scope; those of partners name theirs. */
function clerkRoutes({ paths }: OpenAPIObject): Route[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Operations)
      .filter(([, { security }]) => security?.some(({ bearer }) => bearer?.length === 0))
      .map(([method]) => ({ method: method.toUpperCase(), path })),
  );
}
