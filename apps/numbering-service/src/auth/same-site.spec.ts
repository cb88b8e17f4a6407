import { expect, it } from '@jest/globals';
import { refuseCrossSite } from './same-site.ts';

const ask = (headers: Record<string, string>) => () => {
  refuseCrossSite({ headers, host: 'numeros.example:3005' });
};

it.each([
  [{ 'sec-fetch-site': 'same-origin', origin: 'http://numeros.example:3005' }],
  [{ 'sec-fetch-site': 'same-origin' }],
  [{ origin: 'http://numeros.example:3005' }],
  [{}],
])('lets %j pass', (headers) => {
  expect(ask(headers)).not.toThrow();
});

it.each([
  [{ 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'same-site' }],
  [{ 'sec-fetch-site': 'none' }],
  [{ 'sec-fetch-site': 'cross-site', origin: 'http://numeros.example:3005' }],
  [{ origin: 'http://evil.example' }],
  [{ origin: 'http://numeros.example' }],
  [{ origin: 'http://numeros.example:3005.evil.example' }],
  [{ origin: 'null' }],
])('refuses %j', (headers) => {
  expect(ask(headers)).toThrow(expect.objectContaining({ kind: 'forbidden', code: 'cross-site-request' }));
});
