import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { emptySchemas } from '../testing/empty-schemas.ts';
import { probeService } from '../testing/probe.service.ts';
import { startTestService, type TestService } from '../testing/start-test-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService(probeService);
});

afterAll(() => service.close());

it('serves a valid OpenAPI 3.1 document', async () => {
  const document = (await (await service.fetch('/openapi.json')).json()) as OpenAPIObject;
  const { valid, errors } = await new Validator().validate({ ...document });

  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).not.toContain('/health/live');
});

it('documents who may call and how a call can fail', async () => {
  const { paths } = (await (await service.fetch('/openapi.json')).json()) as OpenAPIObject;
  const guarded = paths['/probe/private']?.post;

  expect(guarded?.security).toEqual([{ bearer: ['probe:read', 'probe:write'] }]);
  expect(Object.keys(guarded?.responses ?? {})).toEqual(['201', '401', '403', '503', 'default']);
  expect(paths['/probe/orders']?.post?.security).toBeUndefined();
  expect(Object.keys(paths['/probe/orders']?.post?.responses ?? {})).toEqual([
    '201',
    '400',
    '503',
    'default',
  ]);
});

it('describes every DTO that a route takes', async () => {
  const document = (await (await service.fetch('/openapi.json')).json()) as OpenAPIObject;

  expect(emptySchemas(document)).toEqual([]);
  expect(Object.keys(document.components?.schemas ?? {})).toEqual(
    expect.arrayContaining(['AddressDto', 'CancelDto', 'OrderDto']),
  );
  expect(document.paths['/probe/items/{id}']?.get?.parameters).toContainEqual({
    name: 'limit',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1 },
  });
});

it.each(['/docs', '/docs/'])('shows a page at %s that its own security policy allows', async (path) => {
  const response = await service.fetch(path);
  const page = await response.text();
  const policy = response.headers.get('content-security-policy');

  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
  expect(page).not.toMatch(/<style|style=|onload=|<script>/);
  const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
  expect(assets).toHaveLength(4);
  for (const url of assets) {
    const asset = await service.fetch(url);
    expect([url, asset.status]).toEqual([url, 200]);
    expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }
});
