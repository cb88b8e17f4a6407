import { expect, it } from '@jest/globals';
import { LogLines } from '../testing/log-lines.ts';
import { Log } from './log.ts';
import { continueTrace, enterContext } from './trace-context.ts';

function newLog(): { log: Log; lines: LogLines } {
  const lines = new LogLines();
  return { log: new Log('probe', { logLevel: 'info' }, lines), lines };
}

it('scrubs the request id that a caller chose', () => {
  const { log, lines } = newLog();
  enterContext({ requestId: '52998224725', trace: continueTrace(undefined) }, () => {
    log.info('received');
  });

  expect(lines.find('received')).toMatchObject([{ requestId: '[cpf]' }]);
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
