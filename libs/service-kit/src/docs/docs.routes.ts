import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { buildOpenApi, type ServiceInfo } from './openapi.ts';

const ASSETS = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

const INIT_SCRIPT = `SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
});
`;

/**
 * `/openapi.json` and the page that shows it at `/docs`. The page that comes with the framework needs inline styles, which our
 * content security policy forbids; this one has everything in files. Building the document takes longer than starting the
 * service, so it waits for the first reader.
 */
export async function serveDocs(app: NestFastifyApplication, info: ServiceInfo): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  let openApi: string | undefined;
  const page = docsPage(info.name);

  await app.register(fastifyStatic, { root: ASSETS, serve: false });
  fastify.get('/openapi.json', async (_request, reply) => {
    openApi ??= JSON.stringify(buildOpenApi(app, info));
    await reply.type('application/json; charset=utf-8').send(openApi);
  });
  for (const url of ['/docs', '/docs/']) {
    fastify.get(url, async (_request, reply) => {
      await reply.type('text/html; charset=utf-8').send(page);
    });
  }
  fastify.get('/docs/init.js', async (_request, reply) => {
    await reply.type('text/javascript; charset=utf-8').send(INIT_SCRIPT);
  });
  for (const file of FILES) {
    fastify.get(`/docs/${file}`, (_request, reply) => reply.sendFile(file, { maxAge: '1h' }));
  }
}

function docsPage(name: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${name}</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/init.js"></script>
  </body>
</html>
`;
}
