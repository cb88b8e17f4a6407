import { randomUUID } from 'node:crypto';

/** One span of a W3C trace. */
export interface Trace {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: string;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** A span of ours inside the caller's trace, or the first span of a new one. */
export function continueTrace(traceParent: string | undefined): Trace {
  const spanId = randomHex().slice(16);
  const match = TRACEPARENT.exec(traceParent ?? '');
  const [, version, traceId = '', parentId = '', flags = '01', rest] = match ?? [];
  // W3C Trace Context 3.2.2: version ff and all-zero ids are invalid; version 00 has nothing after the flags.
  const isUsable =
    match &&
    version !== 'ff' &&
    !(version === '00' && rest) &&
    !/^0+$/.test(traceId) &&
    !/^0+$/.test(parentId);
  return isUsable ? { traceId, spanId, flags } : { traceId: randomHex(), spanId, flags: '01' };
}

/** 122 random bits in 32 digits. Node makes UUIDs from a stock; random bytes cost a system call each time. */
function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}

/** What to store beside a message, so that its delivery continues the trace of the request that caused it. */
export function traceParentOf({ trace }: { readonly trace?: Trace | undefined }): string | undefined {
  return trace && `00-${trace.traceId}-${trace.spanId}-${trace.flags}`;
}
