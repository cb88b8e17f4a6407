import { expect, it } from '@jest/globals';
import { reorderedAcks } from './ack-order.ts';

const ROWS = [
  { id: '10', ticket: 'TCK/a/6', Status: 'Sent' },
  { id: '9', ticket: 'TCK/a/15', Status: 'Sent' },
  { id: '11', ticket: 'TCK/b/6', Status: 'Sent' },
];

const arrivals = (...tickets: string[]) =>
  tickets.map((ticket, sequence) => {
    const [businessEntity = '', businessDocId = '', phaseCode] = ticket.split('/');
    return {
      sequence,
      time: '2026-05-04T12:00:00.000Z',
      kind: 'ack',
      decision: 'accepted',
      businessEntity,
      businessDocId,
      phaseCode: Number(phaseCode),
    };
  });

it('finds nothing wrong with the ACKs of a document in the order of their rows, whatever others do', () => {
  expect(reorderedAcks(ROWS, arrivals('TCK/a/15', 'TCK/b/6', 'TCK/a/6'))).toEqual([]);
  expect(reorderedAcks(ROWS, arrivals('TCK/b/6', 'TCK/a/15', 'TCK/a/6', 'TCK/a/15'))).toEqual([]);
});

it('sees an ACK that overtook the one before it', () => {
  expect(reorderedAcks(ROWS, arrivals('TCK/a/6', 'TCK/b/6', 'TCK/a/15'))).toEqual([
    'ack of TCK/a/6 came before that of TCK/a/15',
  ]);
});

it('does not count what the gateway refused as having come', () => {
  const refused = arrivals('TCK/a/15').map((entry) => ({ ...entry, decision: 'refused' }));
  expect(reorderedAcks(ROWS, [...refused, ...arrivals('TCK/a/6')])).toHaveLength(1);
});
