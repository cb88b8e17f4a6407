import { describe, expect, it } from '@jest/globals';
import { returnPath } from './return-path.ts';

describe('the way back after the login', () => {
  it.each([['/registro?text=a%20b&state=annulled'], ['/numeros/42/anular'], ['/']])(
    'is the page that was asked for: %s',
    (path) => {
      expect(returnPath(path)).toBe(path);
    },
  );

  it.each([
    [undefined],
    [''],
    ['registro'],
    ['//evil.example'],
    ['/\\evil.example'],
    ['\\\\evil.example'],
    ['/..//evil.example'],
    ['/.//evil.example/a'],
    ['/%2e%2e//evil.example'],
    ['https://evil.example'],
    ['javascript:alert(1)'],
    ['/\t/evil.example'],
    ['/\n/evil.example'],
    [' /registro'],
    ['/registro\r\nset-cookie: a=b'],
    ['/registro\\..\\'],
    ['/çãõ'],
  ])('is home instead of %j', (path) => {
    expect(returnPath(path)).toBe('/');
  });
});
