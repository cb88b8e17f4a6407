import type { FastifyInstance } from 'fastify';

/** Knows which methods a path answers, for 405 and OPTIONS; Fastify's router only says that nothing matched. */
export class KnownRoutes {
  private readonly methodsByPath = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  /** Must be called before the first route is registered. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      const known = this.methodsByPath.get(url) ?? { pattern: patternOf(url), methods: new Set() };
      for (const one of [method].flat()) known.methods.add(one.toUpperCase());
      this.methodsByPath.set(url, known);
    });
  }

  /** Empty when the path is unknown. The router decodes paths before it compares them, all but what would change their parts. */
  methodsOf(encodedPath: string): string[] {
    const path = decodeURI(encodedPath);
    const methods = new Set<string>();
    for (const route of this.methodsByPath.values()) {
      if (route.pattern.test(path)) for (const method of route.methods) methods.add(method);
    }
    return methods.size === 0 ? [] : [...methods.add('OPTIONS')].sort();
  }
}

function patternOf(url: string): RegExp {
  const source = url
    .split(/(:\w+|\*)/)
    .map((part) => {
      if (part === '*') return '.*';
      return part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`);
}
