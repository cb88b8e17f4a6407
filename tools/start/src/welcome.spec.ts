import { expect, it } from '@jest/globals';
import { suiteServices } from './services.ts';
import { welcome } from './welcome.ts';

it('lists every service with its address, and the database', () => {
  const text = welcome({
    services: suiteServices(),
    database: 'mssql://sa:***@db:1433/REDEXV2',
    seconds: 4.21,
  });

  expect(text).toContain('All 6 services are ready (4.2 s). Database: mssql://sa:***@db:1433/REDEXV2');
  expect(text).toMatch(/counterparty-api +http:\/\/localhost:3001 +http:\/\/localhost:3001\/docs\n/);
  expect(text).toMatch(/whatsapp-nfse-bot +http:\/\/localhost:3006 +http:\/\/localhost:3006\/docs\n/);
});
