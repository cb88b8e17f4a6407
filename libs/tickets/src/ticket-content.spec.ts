import { expect, it } from '@jest/globals';
import { contentProblem } from './ticket-content.ts';

const basic = { businessEntity: 'TCK', businessDocId: 'D1', phaseCode: 15 };
const weighed = { ...basic, phaseCode: 6 };
const weights = { grossWeight: 30_000.5, tareWeight: 12_000.25, netWeight: 18_000.25 };

it.each([
  [basic, { ...basic }],
  [basic, {}],
  [basic, { BusinessDocID: 'd1', phaseCode: 15 }],
  [weighed, { ...weighed, ...weights }],
  [weighed, { GROSSWEIGHT: 2, TareWeight: 1, netWeight: 1 }],
])('%j can be processed with %j', (header, content) => {
  expect(contentProblem(header, JSON.stringify(content))).toBeNull();
});

it.each([
  [basic, '{', 'RawPayloadJson is no JSON object'],
  [basic, '[]', 'RawPayloadJson is no JSON object'],
  [basic, '{"businessDocId":"D2"}', 'its businessDocId differs'],
  [basic, '{"phaseCode":6}', 'its phaseCode differs'],
  [basic, '{"phaseCode":"15"}', 'its phaseCode differs'],
  [{ ...basic, phaseCode: 7 }, '{}', 'phase 7 is unknown'],
  [weighed, '{"grossWeight":2}', 'phase 6 needs tareWeight, netWeight in kilograms'],
  [weighed, '{"grossWeight":2,"tareWeight":1,"netWeight":"1"}', 'phase 6 needs netWeight in kilograms'],
  [
    weighed,
    '{"grossWeight":2,"tareWeight":1,"netWeight":0.999}',
    'netWeight is not grossWeight less tareWeight',
  ],
])('%j cannot be processed with %s', (header, json, problem) => {
  expect(contentProblem(header, json)).toContain(problem);
});
