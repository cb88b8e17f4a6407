import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ServiceChild } from '@malote/child-process';
import { request } from 'undici';
import { type RegisterFile } from './register-file.ts';

const root = join(import.meta.dirname, '../../../..');
const ENTRY = 'apps/numbering-service/src/main.ts';
const EMAIL = 'bench@example.com';
const PASSWORD = 'pinguim lavou quatro violinos';

type Environment = Readonly<Record<string, string>>;
type Json = Readonly<Record<string, unknown>>;

/** The service as it is deployed, with its first admin. */
export class NumberingService {
  private constructor(
    readonly url: string,
    private readonly child: ServiceChild,
    private readonly temporaryPassword: string,
  ) {}

  static async start({ folder, databaseUrl }: RegisterFile): Promise<NumberingService> {
    const env = productionEnv(databaseUrl);
    const temporaryPassword = await createAdmin(env);
    const child = new ServiceChild({ entry: ENTRY, env, logFile: join(folder, 'numbering-service.log') });
    return new NumberingService(await child.url(), child, temporaryPassword);
  }

  /** An access token that opens everything: the temporary password is changed first. */
  async logIn(): Promise<string> {
    const first = await this.post('/api/auth/login', { email: EMAIL, password: this.temporaryPassword });
    const session = await this.post(
      '/api/auth/password',
      { newPassword: PASSWORD },
      String(first.accessToken),
    );
    return String(session.accessToken);
  }

  end(): Promise<void> {
    return this.child.end();
  }

  private async post(path: string, body: Json, accessToken?: string): Promise<Json> {
    const answer = await request(new URL(path, this.url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text) as Json;
  }
}

async function createAdmin(env: Environment): Promise<string> {
  const args = ['tools/run.js', ENTRY, 'create-admin', '--email', EMAIL, '--name', 'Bench', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  const { temporaryPassword } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Json;
  if (typeof temporaryPassword === 'string') return temporaryPassword;
  throw new Error(`create-admin said no password: ${stdout}`);
}

function productionEnv(databaseUrl: string): Environment {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    NODE_ENV: 'production',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    SESSION_KEY: randomBytes(32).toString('base64'),
    JWT_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    JWT_ISSUER: 'malote-bench',
    JWT_AUDIENCE: 'malote-bench',
    SHUTDOWN_DELAY_MS: '0',
  };
}
