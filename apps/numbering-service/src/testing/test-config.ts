import { type Environment, loadConfig } from '@malote/service-kit';
import { NumberingServiceConfig } from '../numbering-service.config.ts';

export function testConfig(env: Environment = {}): NumberingServiceConfig {
  return loadConfig(NumberingServiceConfig, { NODE_ENV: 'test', BCRYPT_COST: '4', ...env });
}

export const PRODUCTION: Environment = {
  NODE_ENV: 'production',
  BCRYPT_COST: '12',
  DATABASE_URL: 'mssql://sa:secret@db/MALOTE',
  JWT_JWKS_URL: 'https://id.example/jwks',
  JWT_ISSUER: 'https://id.example',
  JWT_AUDIENCE: 'malote',
  SESSION_KEY: Buffer.alloc(32, 7).toString('base64'),
};
