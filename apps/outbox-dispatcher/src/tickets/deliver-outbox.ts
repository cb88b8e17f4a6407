import { type HttpSender, type Lane, type LaneHandler } from '@malote/outbox';

/** Posts the rows of an outbox to the addresses they name. */
export function deliverOutbox(lane: Lane, sender: HttpSender): LaneHandler {
  return {
    lane,
    deliver: (message, signal) =>
      sender.post(message, message.target, String(message.row.PayloadJson), signal),
  };
}
