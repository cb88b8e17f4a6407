import { checkTable, statesOf } from '@malote/state-machine';
import { expect, it } from '@jest/globals';
import { CALLBACK_STATUSES, TICKET_STATUSES } from './ticket-status.ts';
import { CALLBACK_TRANSITIONS, TICKET_TRANSITIONS } from './ticket-transitions.ts';

it('every state can be reached and left, and every target is declared', () => {
  expect(checkTable(TICKET_TRANSITIONS, { initial: ['Awaiting'] })).toEqual([]);
  expect(checkTable(CALLBACK_TRANSITIONS, { initial: ['Pending'] })).toEqual([]);
});

it('the tables know the states the database checks', () => {
  expect(statesOf(TICKET_TRANSITIONS).sort()).toEqual([...TICKET_STATUSES].sort());
  expect(statesOf(CALLBACK_TRANSITIONS).sort()).toEqual([...CALLBACK_STATUSES].sort());
});
