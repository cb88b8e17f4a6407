import { type Figure } from '../figure.ts';
import { contest, PAYLOAD_BYTES } from './contest.ts';

/** Five hundred partners with forty rows each, beside a loop that claims a hundred rows whoever they are for. */
export function manyTargets(): Promise<Figure> {
  return contest({
    name: 'many-targets',
    rawClaim: 'any-target',
    fill: (file, count, sink) => {
      file.insert({ count, state: 'due', targets: sink.addresses(), payloadBytes: PAYLOAD_BYTES });
    },
  });
}
