export { AddressGuard, ForbiddenAddress } from './address-guard.ts';
export { DEVELOPMENT_CALLBACK_SECRET, DEVELOPMENT_SIGNING_SECRET } from './development-secrets.ts';
export {
  HttpDelivery,
  type HttpDeliveryOptions,
  type HttpRequest,
  type Judge,
  type SendOptions,
} from './http-delivery.ts';
export type { Exchanged, HttpAnswer, Permit } from './exchanged.ts';
export { judgeDelivery } from './judge-delivery.ts';
export type { TargetAgent, TargetAgentOptions, TargetTls } from './target-agent.ts';
export { type Webhook, WebhookDelivery } from './webhook-delivery.ts';
export { isWebhookSecret, type SignedHeaders, WebhookSigner, WebhookVerifier } from './webhook-signature.ts';
