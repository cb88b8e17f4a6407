import { HttpDelivery, type Permit, WebhookDelivery } from '@malote/http-delivery';
import { type EngineOptions, type Lane, LANE_DEFAULTS, LaneEngine } from '@malote/lanes';
import { type UnitOfWork } from '@malote/persistence';
import { lane } from './lane-file.ts';
import { SINK_HOSTS } from './sink.ts';

const SECRETS = [`whsec_${Buffer.alloc(32, 7).toString('base64')}`];
const TIMEOUT_MS = 10_000;
export const DRAIN_MS = 5_000;

/** The HTTP client of services; those we compare with use the same. */
export function openHttp(): HttpDelivery {
  return new HttpDelivery({ allowedPrivateHosts: SINK_HOSTS, timeoutMs: TIMEOUT_MS });
}

export interface Message {
  readonly messageKey: string;
  readonly url: string;
  readonly body: string;
}

export type Post = (message: Message, permit: Permit) => ReturnType<WebhookDelivery['post']>;

/** Posts one message as services do: signed, its lease asked before the first byte leaves. */
export function poster(http: HttpDelivery): Post {
  const webhooks = new WebhookDelivery(http);
  return (message, permit) => webhooks.post({ ...message, traceParent: null, secrets: SECRETS }, permit);
}

export interface EngineSettings extends EngineOptions {
  readonly lanes?: readonly Lane[];
}

/** The lanes as a service runs them. */
export function startEngine(
  uow: UnitOfWork,
  http: HttpDelivery,
  { lanes = [lane], ...options }: EngineSettings = {},
): LaneEngine {
  const post = poster(http);
  const engine = new LaneEngine(uow, options);
  for (const each of lanes) {
    engine.add(
      {
        lane: each,
        deliver: ({ messageKey, target: url, row }, lease) =>
          post({ messageKey, url, body: String(row.PayloadJson) }, lease),
      },
      LANE_DEFAULTS,
    );
  }
  engine.start();
  return engine;
}
