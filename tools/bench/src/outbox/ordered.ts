import { type Figure } from '../figure.ts';
import { contest, PAYLOAD_BYTES } from './contest.ts';

const KEYS = 500;

/** Five hundred order keys with forty rows each, beside a loop that claims rows only when none of their key is before them. */
export function ordered(): Promise<Figure> {
  return contest({
    name: 'ordered',
    rawClaim: 'in-order',
    fill: (file, rows, sink, way) => {
      const lines = { targets: [sink.url], orderKeys: KEYS, payloadBytes: PAYLOAD_BYTES } as const;
      file.insert({ ...lines, count: KEYS, state: 'due' });
      // The loop knows no parking: whether a row is free is found out by each claim.
      file.insert({ ...lines, count: rows - KEYS, state: way === 'engine' ? 'parked' : 'due' });
    },
  });
}
