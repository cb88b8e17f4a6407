import { join } from 'node:path';
import { Suite } from '../suite.ts';

/** `stub-suite.ts <first port>`: a suite of two stubs in a process of its own, so that a spec can kill it. */
const firstPort = Number(process.argv[2]);
const suite = new Suite({
  services: ['first', 'second'].map((name, index) => ({
    name,
    port: firstPort + index,
    entry: 'tools/start/src/testing/stub-service.ts',
  })),
  root: join(import.meta.dirname, '../../../..'),
  env: process.env,
  stopWithinMs: 1_000,
  format: ({ name }, line) => `${name}: ${line}`,
  print: console.log,
  say: console.log,
  onReady: () => {
    console.log('ready');
  },
});
process.on('SIGTERM', () => {
  console.log('stopping');
  suite.stop();
});
process.exitCode = await suite.run();
