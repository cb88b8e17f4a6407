import { randomUUID } from 'node:crypto';
import { Luck } from '../faults/luck.ts';
import { type GatewayFaults } from './gateway-faults.ts';
import { type PhasedDocument } from './letter.ts';

export type CallbackStatus = 'Received' | 'Success' | 'Error';

export interface Callback {
  /** The same over retries, and for a callback that is sent twice. */
  readonly webhookId: string;
  readonly status: CallbackStatus;
  readonly body: string;
  /** To wait before it is sent: after the ticket was accepted, or after the callback before it was settled. */
  readonly delayMs: number;
  readonly isRepeated: boolean;
}

const OUTCOMES: Readonly<Record<CallbackStatus, { readonly code: string; readonly message: string }>> = {
  Received: { code: '100', message: 'Ticket received' },
  Success: { code: '200', message: 'Ticket processed' },
  Error: { code: '900', message: 'Ticket could not be processed' },
};

/** What the gateway will say about a ticket it has accepted, in the order it will say it. */
export function planCallbacks(
  ticket: PhasedDocument,
  idempotencyKey: string,
  faults: GatewayFaults,
  acceptedAt: Date,
): readonly Callback[] {
  const luck = new Luck(faults.seed, idempotencyKey, 1);
  const workMs = Math.max(1, luck.between('workMs', faults.callbackDelayMs));
  const outcome = luck.strikes('callbackError', faults.callbackError) ? 'Error' : 'Success';
  const steps: { status: CallbackStatus; occurredAt: Date }[] = [
    { status: 'Received', occurredAt: acceptedAt },
    { status: outcome, occurredAt: new Date(acceptedAt.getTime() + workMs) },
  ];
  if (luck.strikes('reorderCallbacks', faults.reorderCallbacks)) steps.reverse();

  return steps.flatMap(({ status, occurredAt }) => {
    const callback = {
      webhookId: randomUUID(),
      status,
      body: JSON.stringify({ ...ticket, status, ...OUTCOMES[status], occurredAt: occurredAt.toISOString() }),
      delayMs: luck.between(`callbackDelayMs ${status}`, faults.callbackDelayMs),
      isRepeated: false,
    };
    const isDuplicated = luck.strikes(`duplicateCallbacks ${status}`, faults.duplicateCallbacks);
    return isDuplicated ? [callback, { ...callback, isRepeated: true }] : [callback];
  });
}
