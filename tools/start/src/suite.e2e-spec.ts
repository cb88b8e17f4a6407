import { createServer } from 'node:http';
import { once } from 'node:events';
import { beforeEach, expect, it } from '@jest/globals';
import { findPorts, portsAreFree, RunningCommand } from './testing/running-command.ts';

let ports: readonly number[];

beforeEach(async () => {
  ports = await findPorts(2);
});

function startStubs(env: NodeJS.ProcessEnv = {}): RunningCommand {
  return new RunningCommand(
    [process.execPath, 'tools/run.js', 'tools/start/src/testing/stub-suite.ts', String(ports[0])],
    env,
  );
}

it('reports ready, stops every service on SIGTERM and exits with 0', async () => {
  const suite = startStubs();
  await suite.hasWritten('ready\n');

  suite.signal('SIGTERM');

  expect(await suite.exitCode).toBe(0);
  await portsAreFree(ports);
});

it('stops everything and quotes the last lines when one service dies', async () => {
  const suite = startStubs({ STUB_DIES: String(ports[1]) });

  expect(await suite.exitCode).toBe(1);
  expect(suite.output).toContain('second ended with exit code 7');
  expect(suite.output).toContain('  | second: the disk is full');
  expect(suite.output).not.toContain('did not stop');
  await portsAreFree(ports);
});

it('names the port and the service when a port is taken, and starts nothing', async () => {
  const squatter = createServer().listen(ports[1], '127.0.0.1');
  await once(squatter, 'listening');

  const suite = startStubs();

  expect(await suite.exitCode).toBe(1);
  expect(suite.output).toContain(`Port ${ports[1]}, which second needs, is already in use.`);
  expect(suite.output).not.toContain('listening');
  squatter.close();
});

it('takes its services with it when it is killed', async () => {
  const suite = startStubs();
  await suite.hasWritten('ready\n');

  suite.signal('SIGKILL');

  await portsAreFree(ports);
});

it('exits with 1 and names the service that was cut off when it stopped', async () => {
  const suite = startStubs({ STUB_IS_CUT_OFF: String(ports[1]) });
  await suite.hasWritten('ready\n');

  suite.signal('SIGTERM');

  expect(await suite.exitCode).toBe(1);
  expect(suite.output).toContain('second did not stop in order, it ended with exit code 1.');
  expect(suite.output).toContain('  | second: stopped before everything was finished');
  expect(suite.output).not.toContain('first did not stop');
  await portsAreFree(ports);
});

it('does not blame a service that was stopped before it had begun', async () => {
  const suite = startStubs({ STUB_STARTS_SLOWLY: 'yes' });
  await suite.hasWritten('second: starting\n');

  suite.signal('SIGTERM');

  expect(await suite.exitCode).toBe(0);
  expect(suite.output).not.toContain('did not stop');
});

it('kills what does not stop in time, and says so by its exit code', async () => {
  const suite = startStubs({ STUB_IGNORES_SIGTERM: 'yes' });
  await suite.hasWritten('ready\n');

  suite.signal('SIGTERM');

  expect(await suite.exitCode).toBe(1);
  expect(suite.output).toContain('Not stopped after 1 s: first, second. Killing them.');
  expect(suite.output).toContain('second did not stop in order, it was ended by SIGKILL.');
  await portsAreFree(ports);
});

it('kills at once when asked a second time', async () => {
  const suite = startStubs({ STUB_IGNORES_SIGTERM: 'yes' });
  await suite.hasWritten('ready\n');

  suite.signal('SIGTERM');
  await suite.hasWritten('stopping\n');
  suite.signal('SIGTERM');

  expect(await suite.exitCode).toBe(1);
  expect(suite.output).not.toContain('Not stopped after');
  await portsAreFree(ports);
});
