import { expect, it } from '@jest/globals';
import { gatewayProblems } from './gateway-addresses.ts';

it.each(['https://gateway.example', 'http://127.0.0.1:3900/gateway/', 'https://gateway.example/v1'])(
  'nothing is wrong with %s',
  (url) => {
    expect(gatewayProblems(url, { ASB: url })).toEqual([]);
  },
);

it.each([
  ['no address', 'gateway.example'],
  ['nothing', ''],
  ['another protocol', 'ftp://gateway.example'],
  ['a local file', 'file:///etc/passwd'],
  ['a query, which paths cannot be added to', 'https://gateway.example/v1?key=1'],
  ['a fragment', 'https://gateway.example/v1#top'],
])('refuses %s', (_, url) => {
  expect(gatewayProblems(url, {})).toEqual([
    'GATEWAY_URL must be an http or https address without query or fragment',
  ]);
});

it('names every variable that is wrong', () => {
  const problems = gatewayProblems('nowhere', { ASB: 'https://asb.example', X_1: '', CRN: 'ftp://crn' });
  expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
    'GATEWAY_URL',
    'GATEWAY_URL_X_1',
    'GATEWAY_URL_CRN',
  ]);
});

it('says nothing of a gateway that is not set: the configuration says that it is missing', () => {
  expect(gatewayProblems(undefined, { ASB: 'https://asb.example' })).toEqual([]);
  expect(gatewayProblems('https://gateway.example', undefined)).toEqual([]);
});
