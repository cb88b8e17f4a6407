import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ADMIN = 'admin@malote.example';

export interface FirstAdmin {
  readonly outcome: 'created' | 'reset' | 'exists';
  readonly email: string;
  readonly temporaryPassword?: string;
}

/** On a new database nobody could log in at the clerks' page; whoever just started the suite shall. */
export async function ensureFirstAdmin(
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<FirstAdmin> {
  const entry = ['tools/run.js', 'apps/numbering-service/src/main.ts'];
  const who = ['--email', ADMIN, '--name', 'Administração'];
  const args = [...entry, 'create-admin', '--if-none', '--json', ...who];
  const { stdout } = await run(process.execPath, args, { cwd: root, env, signal });
  return JSON.parse(stdout) as FirstAdmin;
}

/** For a person. */
export function describeAdmin({ email, temporaryPassword }: FirstAdmin, pageUrl: string): string {
  const how = temporaryPassword
    ? `log in as ${email} with ${temporaryPassword} (good for one login)`
    : 'for a new password:  npm run -s admin -- --help';
  return `  Clerks take numbers at ${pageUrl}:  ${how}\n`;
}
