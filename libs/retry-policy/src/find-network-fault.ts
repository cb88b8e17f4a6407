import { type NetworkFault, networkFaultOf } from './network-faults.ts';

export interface FoundFault extends NetworkFault {
  readonly reason: string;
}

/**
 * Looks through wrappers (`cause`) and bundles (`AggregateError`, one error per address tried). When several
 * faults are found, one that may have lost an answer outweighs those that certainly did not.
 */
export function findNetworkFault(error: unknown): FoundFault | undefined {
  const found = [...unwrap(error)].flatMap((one) => {
    const fault = networkFaultOf(text(one, 'code'), text(one, 'name'), text(one, 'syscall'));
    return fault === undefined ? [] : [{ ...fault, reason: describeError(one) }];
  });
  return found.find(({ phase }) => phase === 'exchanging') ?? found[0];
}

export function describeError(error: unknown): string {
  if (!isObject(error)) return `thrown: ${String(error)}`;
  const label = text(error, 'code') || text(error, 'name') || 'Error';
  const message = text(error, 'message');
  return message === '' ? label : `${label}: ${message}`;
}

function* unwrap(error: unknown, seen = new Set<object>()): Generator<object> {
  if (!isObject(error) || seen.has(error)) return;
  seen.add(error);
  const bundled: unknown = Reflect.get(error, 'errors');
  // Node copies the first member's code onto the bundle but not its system call, so only members count.
  if (Array.isArray(bundled) && bundled.length > 0) for (const one of bundled) yield* unwrap(one, seen);
  else yield error;
  yield* unwrap(Reflect.get(error, 'cause'), seen);
}

function text(error: object, property: string): string {
  const value: unknown = Reflect.get(error, property);
  return typeof value === 'string' ? value : '';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
