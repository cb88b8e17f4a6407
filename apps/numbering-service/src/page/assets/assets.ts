import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ICON } from './icon.ts';
import { SCRIPT } from './script.ts';
import { STYLESHEET } from './stylesheet.ts';

export interface Asset {
  readonly type: string;
  readonly content: string;
  readonly version: string;
}

const HTMX = createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js');

const ASSETS = {
  'pagina.css': asset('text/css', STYLESHEET),
  'pagina.js': asset('text/javascript', SCRIPT),
  'htmx.min.js': asset('text/javascript', readFileSync(HTMX, 'utf8')),
  'icone.svg': asset('image/svg+xml', ICON),
} as const satisfies Record<string, Asset>;

export function assetPath(name: keyof typeof ASSETS): string {
  return `/assets/${name}?v=${ASSETS[name].version}`;
}

export function findAsset(name: string): Asset | undefined {
  return Object.entries(ASSETS).find(([known]) => known === name)?.[1];
}

function asset(type: string, content: string): Asset {
  const version = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { type: `${type}; charset=utf-8`, content, version };
}
