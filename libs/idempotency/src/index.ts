export { canonicalJson, type JsonValue } from './canonical-json.ts';
export { fingerprint, matchRequest, type RequestContent, type RequestMatch } from './fingerprint.ts';
export { idempotencyKeyFrom } from './idempotency-key.ts';
export { messageKey } from './message-key.ts';
