import { type Lane, type TargetReport } from '@malote/outbox';
import { functionalAck, gatewaySend, ticketProcessing, ticketReturn } from '@malote/tickets';
import { pauseName, type TargetOrigin } from '../operations/operated-lanes.ts';
import {
  type DocumentRows,
  gaveUp,
  isDone,
  originOf,
  type Progress,
  type TicketRow,
} from './document-rows.ts';
import { type Missing } from './missing.ts';

interface Job {
  readonly lane: Lane;
  readonly progress: Progress;
  /** Undefined: work of our own. */
  readonly target?: string;
  /** The phase it belongs to; undefined: none. */
  readonly phase: Pick<TicketRow, 'businessEntity' | 'phaseCode'> | undefined;
}

/** Why work that is left to do cannot go on, whatever its rows say: its lane or target is paused, or its target is down. */
export function hindrancesOf(
  rows: DocumentRows,
  reports: readonly TargetReport[],
  originOfTarget: TargetOrigin,
): Missing[] {
  const known = new Map(reports.map((report) => [report.target, report]));
  return jobsOf(rows)
    .filter(({ progress }) => !isDone(progress) && !gaveUp(progress))
    .flatMap(({ lane, target, phase }) => {
      const about = phase && { businessEntity: phase.businessEntity, phaseCode: phase.phaseCode };
      const origin = target === undefined ? undefined : originOfTarget(lane, target);
      return [
        ...laneHindrances(lane, known.get(pauseName(lane))),
        ...targetHindrances(origin === undefined ? undefined : known.get(origin)),
      ].map((hindrance) => ({ ...about, ...hindrance }));
    });
}

function jobsOf({ tickets, acks, returns }: DocumentRows): Job[] {
  return [
    ...tickets.flatMap((phase): Job[] => {
      const { processing, gatewaySend: send, callback, targetApplicationCode: target } = phase;
      if (!isDone(processing)) return [{ lane: ticketProcessing, progress: processing, phase }];
      // What the gateway has called back about was sent, whoever did it.
      return callback.status === 'Pending' ? [{ lane: gatewaySend, progress: send, target, phase }] : [];
    }),
    ...acks.map((ack): Job => {
      const phase = originOf(ack, tickets)?.ticket;
      return { lane: functionalAck, progress: ack.sending, target: ack.targetUrl, phase };
    }),
    ...returns.map((row): Job => ({
      lane: ticketReturn,
      progress: row.sending,
      target: row.targetUrl,
      phase: row,
    })),
  ];
}

function laneHindrances({ name }: Lane, report: TargetReport | undefined): Missing[] {
  return report?.pause ? [{ code: 'lane-paused', message: paused(`The lane ${name}`, report.pause) }] : [];
}

function targetHindrances(report: TargetReport | undefined): Missing[] {
  if (!report) return [];
  const { target, pause, openCount } = report;
  return [
    ...(pause ? [{ code: 'target-paused', message: paused(target, pause) } as const] : []),
    ...(openCount > 0
      ? [
          {
            code: 'target-down',
            message: `${target} fails for everyone and is probed until it is back.`,
          } as const,
        ]
      : []),
  ];
}

function paused(what: string, { by, reason, since }: NonNullable<TargetReport['pause']>): string {
  return `${what} was paused by ${by} at ${since.toISOString()}: ${reason}`;
}
