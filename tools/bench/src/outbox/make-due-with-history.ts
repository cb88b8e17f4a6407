import { type Lane } from '@malote/lanes';
import { gatewaySend, makeDue, ticketProcessing } from '@malote/tickets';
import { type Figure } from '../figure.ts';
import { type LaneFile, SQL_NOW } from './lane-file.ts';
import { sizeContest, timeAndUndo } from './with-history.ts';

const MOVED_ON = 100;
/** Of each phase. */
const FINISHED = 500_000;
const WAITING = 100_000;

interface Tickets {
  readonly documents: string;
  readonly count: number;
  readonly phase: 15 | 6;
  readonly state: 'unprocessed' | 'processed' | 'called-back';
}

/** What follows a hundred tickets becomes due in both lanes, with a million finished tickets in the table and a hundred thousand that wait. */
export function makeDueWithHistory(): Promise<Figure> {
  return sizeContest({
    name: 'make-due-with-history',
    aim: '<=1.5',
    rounds: 100,
    extra: { finished: 2 * FINISHED, waiting: WAITING, movedOn: MOVED_ON },
    fillLarge: (file) => {
      for (const phase of [15, 6] as const) {
        insert(file, { documents: 'finished', count: FINISHED, phase, state: 'called-back' });
      }
      insert(file, { documents: 'unprocessed', count: WAITING / 2, phase: 6, state: 'unprocessed' });
      insert(file, { documents: 'unsent', count: WAITING / 2, phase: 6, state: 'processed' });
    },
    fillBoth: (file) => {
      for (const { name } of [ticketProcessing, gatewaySend]) {
        insert(file, { documents: name, count: MOVED_ON, phase: 15, state: 'called-back' });
        const state = name === gatewaySend.name ? 'processed' : 'unprocessed';
        insert(file, { documents: name, count: MOVED_ON, phase: 6, state });
      }
    },
    measureMs: async (file) =>
      (await measureLane(file, ticketProcessing)) + (await measureLane(file, gatewaySend)),
  });
}

async function measureLane({ uow }: LaneFile, lane: Lane): Promise<number> {
  const rows = await uow.read((tx) =>
    tx.query<{ Id: unknown }>(
      `SELECT Id FROM TB_TICKET_INTERFACE WHERE PhaseCode = 15 AND BusinessDocId BETWEEN '${lane.name}-' AND '${lane.name}-~'`,
    ),
  );
  const ids = rows.map(({ Id }) => String(Id));
  return timeAndUndo(uow, async (tx) => {
    const due = await makeDue(tx, lane, ids);
    if (due !== MOVED_ON) throw new Error(`${MOVED_ON} tickets moved on, and ${due} became due`);
  });
}

function insert(file: LaneFile, { documents, count, phase, state }: Tickets): void {
  const isCalledBack = state === 'called-back';
  file.fill((connection) => {
    connection
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < @count - 1)
         INSERT INTO TB_TICKET_INTERFACE (BusinessEntity, BusinessDocId, PhaseCode, CompanyCode, BranchCode, DestinationCode,
           ShipmentEvent, FunctionalAckIsRequired, TargetApplicationCode, RawPayloadJson, Status, GatewaySendStatus,
           CallbackStatus, ProcessedAt)
         SELECT 'TCK', @documents || '-' || i, @phase, '01', '0107', '0257', 'RCD', 0, 'ASB', '{}', @status, @sent, @callback,
           ${state === 'unprocessed' ? 'NULL' : SQL_NOW} FROM n`,
      )
      .run({
        count,
        documents,
        phase,
        status: state === 'unprocessed' ? 'Awaiting' : 'Processed',
        sent: isCalledBack ? 'Sent' : 'Pending',
        callback: isCalledBack ? 'Success' : 'Pending',
      });
  });
}
