import { type WebhookDelivery } from '@malote/http-delivery';
import { type Lane, type LaneHandler } from '@malote/lanes';
import { type GatewaySecrets } from '@malote/tickets';

/** Posts the rows of an outbox to the addresses they name. */
export function deliverOutbox(lane: Lane, webhooks: WebhookDelivery, secrets: GatewaySecrets): LaneHandler {
  return {
    lane,
    deliver: ({ messageKey, traceParent, target: url, row }, lease) => {
      const body = String(row.PayloadJson);
      return webhooks.post({ messageKey, traceParent, url, body, secrets: secrets.of(url) }, lease);
    },
  };
}
