import { expect, it } from '@jest/globals';
import { LogLines } from '../testing/log-lines.ts';
import { Log } from './log.ts';

function newLog(): { log: Log; lines: LogLines } {
  const lines = new LogLines();
  return { log: new Log('probe', { logLevel: 'info' }, lines), lines };
}

it('writes a request as one line of JSON, and scrubs what its caller chose', () => {
  const { log, lines } = newLog();
  const line = { method: 'POST', route: '/a/"b"', status: 200, ms: 1.5, aborted: false, traceId: 'abc' };
  log.request({ ...line, subject: 'CPF 529.982.247-25 "x"', requestId: '52998224725' }, 'info');
  log.request({ ...line, subject: undefined, aborted: true, requestId: 'r-1' }, 'info');
  log.request({ ...line, subject: undefined, requestId: 'r-2' }, 'debug');

  expect(lines.find('request')).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      service: 'probe',
      pid: process.pid,
      method: 'POST',
      route: '/a/"b"',
      status: 200,
      ms: 1.5,
      subject: 'CPF [cpf] "x"',
      requestId: '[cpf]',
      traceId: 'abc',
      msg: 'request',
    },
    expect.objectContaining({ aborted: true, requestId: 'r-1' }),
  ]);
});

it('writes a line whatever it is given', () => {
  const { log, lines } = newLog();
  const hostile = {
    get secret(): string {
      throw new Error('no');
    },
    get name(): string {
      throw new Error('no');
    },
  };
  log.info('getter', hostile);
  log.info('address', new URL('https://me:pw@example.com/'));
  log.info('proxy', new Proxy({}, { ownKeys: () => JSON.parse('{') as never }));
  log.info('CPF 52998224725', { err: Object.create(Error.prototype) as Error });

  expect(lines.lines).toHaveLength(4);
  expect(lines.find('getter')).toMatchObject([{ name: '[unreadable]' }]);
  expect(lines.find('address')).toMatchObject([{ detail: 'https://[credentials]@example.com/' }]);
  expect(lines.find('CPF [cpf]')).toHaveLength(1);
  expect(lines.text).not.toContain('pw@');
});
