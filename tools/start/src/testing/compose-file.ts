import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from './running-command.ts';

const text = readFileSync(join(workspaceRoot, 'docker/compose.yaml'), 'utf8');

/** Every secret compose.yaml declares. */
export function composeSecrets(): readonly string[] {
  return [...block('secrets:', '').matchAll(/^ {2}(\w+):$/gm)].map(([, name = '']) => name);
}

/** What compose.yaml gives a service, with `secretsFolder` mounted where containers have /run/secrets. */
export function composeEnvironment(service: string, secretsFolder: string): Readonly<Record<string, string>> {
  const own = block(`${service}:`, '  ');
  const lines = `${block('x-environment: &environment', '')}\n${own}`;
  const variables = [...lines.matchAll(/^ +([A-Z][A-Z_]+): (.+)$/gm)].map(([, name = '', value = '']) => {
    const [, secret] = /^\/run\/secrets\/(\w+)$/.exec(value) ?? [];
    const mounted = secret !== undefined && own.includes(`      - ${secret}\n`);
    return [name, mounted ? join(secretsFolder, secret) : interpolate(value)];
  });
  return Object.fromEntries(variables) as Record<string, string>;
}

/** The lines below a key, up to the next one at its depth. */
function block(key: string, indent: string): string {
  const [, below = ''] = text.split(`\n${indent}${key}\n`);
  return below.split(new RegExp(`^${indent}\\S`, 'm'))[0] ?? '';
}

/** `${NAME:-default}` is its default, `${NAME:?reason}` something its owner has filled in. */
function interpolate(value: string): string {
  return value
    .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replace(/\$\{\w+:\?[^}]*\}/g, 'https://filled-in.example');
}
