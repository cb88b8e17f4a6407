import { type Lane, laneTarget, type TargetReport } from '@malote/lanes';
import { functionalAck, gatewaySend, ticketProcessing, ticketReturn } from '@malote/tickets';
import { type OperatedLanes } from '../operations/operated-lanes.ts';
import {
  type DocumentRows,
  isDone,
  isOver,
  originOf,
  type Progress,
  type TicketRow,
  wasSent,
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

/** Why work that is left to do cannot go on, whatever its rows say: its lane or target is paused, or its target is down or asks for patience. */
export function hindrancesOf(
  rows: DocumentRows,
  reports: readonly TargetReport[],
  namesOf: OperatedLanes['namesOf'],
): Missing[] {
  const known = new Map(reports.map((report) => [report.target, report]));
  return jobsOf(rows)
    .filter(({ progress }) => !isOver(progress))
    .flatMap(({ lane, target, phase }) => {
      const about = phase && { businessEntity: phase.businessEntity, phaseCode: phase.phaseCode };
      const names = target === undefined ? undefined : namesOf(lane, target);
      return [
        ...laneHindrances(lane, known.get(laneTarget(lane.name))),
        ...[...new Set(names && [names.group, names.target])].flatMap((name) =>
          targetHindrances(known.get(name)),
        ),
      ].map((hindrance) => ({ ...about, ...hindrance }));
    });
}

function jobsOf({ tickets, acks, returns }: DocumentRows): Job[] {
  return [
    ...tickets.flatMap((phase): Job[] => {
      const { processing, gatewaySend: send, targetApplicationCode: target } = phase;
      if (!isDone(processing)) return [{ lane: ticketProcessing, progress: processing, phase }];
      return wasSent(phase) ? [] : [{ lane: gatewaySend, progress: send, target, phase }];
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
  const { target, pause, openCount, blockedForMs } = report;
  const found: Missing[] = [];
  if (pause) found.push({ code: 'target-paused', message: paused(target, pause) });
  if (openCount > 0) {
    const message = `${target} fails for everyone and is probed until it is back.`;
    found.push({ code: 'target-down', message });
  } else if (blockedForMs > 0) {
    const message = `${target} asked for patience: nothing is sent to it for another ${Math.ceil(blockedForMs / 1000)} seconds.`;
    found.push({ code: 'target-asks-for-patience', message });
  }
  return found;
}

function paused(what: string, { by, reason, since }: NonNullable<TargetReport['pause']>): string {
  return `${what} was paused by ${by} at ${since.toISOString()}: ${reason}`;
}
