import { AppError } from '@malote/app-error';
import { canonicalJson, fingerprint, type JsonValue, messageKey } from '@malote/idempotency';
import { Outbox } from '@malote/lanes';
import { type Tx, UnitOfWork, varchar } from '@malote/persistence';
import { documentOrderKey, functionalAck, GatewayAddresses } from '@malote/tickets';
import { Injectable } from '@nestjs/common';
import type { FunctionalAckDto, FunctionalAckReceiptDto } from './functional-ack.dto.ts';

export interface PostedAck {
  readonly ack: FunctionalAckDto;
  readonly rawPayload: string;
  readonly traceParent: string | undefined;
  readonly subject: string;
  readonly idempotencyKey: string | undefined;
}

@Injectable()
export class FunctionalAcksService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly gateway: GatewayAddresses,
  ) {}

  /** The same key is the same ACK. Without a key the content is: a caller that repeats itself after a time-out sends it once. */
  enqueue(posted: PostedAck): Promise<FunctionalAckReceiptDto> {
    const { ack, rawPayload, traceParent } = posted;
    const { businessDocId, businessEntity, targetApplicationCode } = ack;
    return this.uow.run(async (tx) => {
      const { id, inserted } = await this.outbox.enqueue(tx, functionalAck, {
        messageKey: keyOf(posted),
        orderKey: businessEntity ? documentOrderKey({ businessEntity, businessDocId }) : undefined,
        targetUrl: this.gateway.functionalAck(targetApplicationCode ?? undefined),
        payload: rawPayload,
        traceParent,
        columns: { BusinessDocId: varchar(businessDocId, 100) },
      });
      if (!inserted) await this.refuseOtherContent(tx, id, rawPayload);
      return { id, outcome: inserted ? 'enqueued' : 'unchanged' };
    });
  }

  private async refuseOtherContent(tx: Tx, id: string, rawPayload: string): Promise<void> {
    const [stored] = await tx.query<{ PayloadJson: string }>(
      `SELECT PayloadJson AS PayloadJson FROM ${tx.dialect.table(functionalAck.table)} WHERE Id = @id`,
      { id },
    );
    if (stored && canonical(stored.PayloadJson) === canonical(rawPayload)) return;
    throw new AppError(
      'conflict',
      'idempotency-key-reused',
      'The Idempotency-Key was used for another functional ACK',
      { details: { id } },
    );
  }
}

/** Keys belong to the caller who chose them. */
function keyOf({ subject, idempotencyKey, rawPayload }: PostedAck): string {
  if (idempotencyKey !== undefined) return messageKey('functional-ack', 'key', subject, idempotencyKey);
  const body = JSON.parse(rawPayload) as JsonValue;
  const content = fingerprint({ method: 'POST', route: '/api/functional-ack', body });
  return messageKey('functional-ack', 'content', subject, content);
}

function canonical(json: string): string {
  return canonicalJson(JSON.parse(json) as JsonValue);
}
