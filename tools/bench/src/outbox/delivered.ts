import { type Figure } from '../figure.ts';
import { contest, PAYLOAD_BYTES } from './contest.ts';

/** Delivered per second through real HTTP to another process, beside a hand-written loop that does only that. */
export function delivered(): Promise<Figure> {
  return contest({
    name: 'delivered',
    aim: '>=0.7',
    rawClaim: 'one-target',
    fill: (file, count, sink) => {
      file.insert({ count, state: 'due', targets: [sink.url], payloadBytes: PAYLOAD_BYTES });
    },
  });
}
