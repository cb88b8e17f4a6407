import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.ts';

describe('the options of the token command', () => {
  it('gather scopes from one or several arguments, each once', () => {
    const { scope } = readOptions([
      '--sub',
      'a',
      '--scope',
      'tickets:write  tickets:read',
      '--scope',
      'tickets:read',
    ]);
    expect(scope).toBe('tickets:write tickets:read');
  });

  it.each([
    ['90s', 90],
    ['15m', 900],
    ['8h', 28_800],
    ['30d', 2_592_000],
  ])('take %s as a duration', (ttl, ttlSeconds) => {
    expect(readOptions(['--sub', 'a', '--ttl', ttl])).toMatchObject({ ttlSeconds });
  });

  it('read the value of a claim as JSON where it is JSON', () => {
    const { claims } = readOptions([
      '--sub',
      'a',
      '--claim',
      'companies=["01","02"]',
      '--claim',
      'role=clerk=x',
    ]);
    expect(claims).toEqual({ companies: ['01', '02'], role: 'clerk=x' });
  });

  it.each([
    [[]],
    [['--sub', ' ']],
    [['--sub', 'a', '--ttl', '8']],
    [['--sub', 'a', '--ttl', '0h']],
    [['--sub', 'a', '--scope', 'a"b']],
    [['--sub', 'a', '--claim', 'exp=1']],
    [['--sub', 'a', '--claim', 'nothing']],
    [['--sub', 'a', '--scopes', 'x']],
  ])('refuse %j', (args) => {
    expect(() => readOptions(args)).toThrow();
  });

  it('ask for nothing when help is wanted', () => {
    expect(readOptions(['--help'])).toMatchObject({ help: true });
  });
});
