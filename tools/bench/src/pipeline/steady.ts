import { figure, type Figure, rounded } from '../figure.ts';
import { percentile } from '../statistics.ts';
import { type Ticket, TicketFlow, ticketsOf } from './ticket-flow.ts';

const PER_SECOND = 500;
const SECONDS = 20;
const WARM_UP_SECONDS = 3;
/** A second's documents lie between a phase 15 and its phase 6. */
const DOCUMENTS_BETWEEN = PER_SECOND / 2;
/** More than are ever needed at once, so that none is posted late because others have not been answered. */
const RATE = { perSecond: PER_SECOND, connections: 50 };

/** How long it takes from post to callback while tickets come steadily. */
export function steady(): Promise<Figure> {
  return TicketFlow.measure(async (flow) => {
    const tickets = inTurn((WARM_UP_SECONDS + SECONDS) * PER_SECOND);
    const measured = tickets.splice(WARM_UP_SECONDS * PER_SECOND);
    // The first connections and the compiler's warm-up belong to nobody.
    await flow.post(tickets, RATE);
    const postSeconds = await flow.post(measured, RATE);
    await flow.untilCalledBack();
    const waits = await flow.waits(measured);
    const p50 = percentile(waits, 50);
    return figure({
      figure: 'pipeline.steady',
      value: p50,
      unit: 'ms',
      aim: '<=250',
      extra: {
        p50: Math.round(p50),
        p99: Math.round(percentile(waits, 99)),
        tickets: measured.length,
        offeredPerSecond: PER_SECOND,
        takenPerSecond: rounded(measured.length / postSeconds),
      },
    });
  });
}

/** One phase 15 after the other, and behind each, as soon as there are any, the phase 6 of an earlier document. */
function inTurn(count: number): Ticket[] {
  const weighed = ticketsOf('steady', 6, count);
  return ticketsOf('steady', 15, count)
    .flatMap((ticket, n) => [ticket, ...(n < DOCUMENTS_BETWEEN ? [] : weighed.splice(0, 1))])
    .slice(0, count);
}
