import { expect, it } from '@jest/globals';
import { sandboxService, suiteServices } from './services.ts';
import { welcome } from './welcome.ts';

const running = {
  services: suiteServices(),
  sandbox: undefined,
  database: 'mssql://sa:***@db:1433/REDEXV2',
  seconds: 4.21,
};

it('lists every service with its address, and the database', () => {
  const text = welcome(running);

  expect(text).toContain('All 6 services are ready (4.2 s). Database: mssql://sa:***@db:1433/REDEXV2');
  expect(text).toMatch(/counterparty-api +http:\/\/localhost:3001 +http:\/\/localhost:3001\/docs\n/);
  expect(text).toMatch(/whatsapp-nfse-bot +http:\/\/localhost:3006 +http:\/\/localhost:3006\/docs\n/);
});

it('has a line for the outside world when there is one', () => {
  expect(welcome({ ...running, sandbox: sandboxService() })).toMatch(
    / outside world.* http:\/\/localhost:3900\n/,
  );
  expect(welcome(running)).not.toContain('outside world');
});
