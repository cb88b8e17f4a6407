import { figure, type Figure } from '../figure.ts';
import { percentile } from '../statistics.ts';
import { type Ticket, TicketFlow, ticketsOf } from './ticket-flow.ts';

const DOCUMENTS = 5_000;
const WARM_UP = 200;
const FLOOD = { connections: 20 };

/** Tickets of both phases, as fast as they are taken. */
export function tickets(): Promise<Figure> {
  return TicketFlow.measure(async (flow) => {
    // The first connections and the compiler's warm-up belong to nobody.
    await flow.post(bothPhases('warm-up', WARM_UP), FLOOD);
    await flow.untilCalledBack();
    const measured = bothPhases('measured', DOCUMENTS);
    const began = performance.now();
    const postSeconds = await flow.post(measured, FLOOD);
    await flow.untilCalledBack();
    const seconds = (performance.now() - began) / 1000;
    const waits = await flow.waits(measured);
    return figure({
      figure: 'pipeline.tickets',
      value: measured.length / seconds,
      unit: '/s',
      extra: {
        tickets: measured.length,
        seconds: Number(seconds.toFixed(2)),
        postSeconds: Number(postSeconds.toFixed(2)),
        postToCallbackP50Ms: Math.round(percentile(waits, 50)),
        postToCallbackP99Ms: Math.round(percentile(waits, 99)),
      },
    });
  });
}

/** In the order partners send them: each phase 15 some way before its phase 6. */
function bothPhases(name: string, documents: number): Ticket[] {
  return [...ticketsOf(name, 15, documents), ...ticketsOf(name, 6, documents)];
}
