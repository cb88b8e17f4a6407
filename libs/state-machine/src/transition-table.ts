import { IllegalTransition } from './illegal-transition.ts';

/** State → event → target state. Declare tables `as const satisfies TransitionTable` to keep the literal types. */
export type TransitionTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type StateOf<T extends TransitionTable> = keyof T & string;

export type EventOf<T extends TransitionTable> = { [S in StateOf<T>]: keyof T[S] & string }[StateOf<T>];

/** Where `E` leads from `S`; a union when either is one, `never` when no combination is legal. */
export type TargetOf<
  T extends TransitionTable,
  S extends StateOf<T>,
  E extends EventOf<T>,
> = S extends unknown ? (E extends keyof T[S] ? T[S][E] : never) : never;

export function next<const T extends TransitionTable, S extends StateOf<T>, E extends EventOf<T>>(
  table: T,
  state: S,
  event: E,
): TargetOf<T, S, E> {
  const target = targetOf(table, state, event);
  if (target === undefined) throw new IllegalTransition(state, event, keysOf(table[state] ?? {}));
  return target as TargetOf<T, S, E>;
}

export function can<const T extends TransitionTable>(
  table: T,
  state: StateOf<T>,
  event: EventOf<T>,
): boolean {
  return targetOf(table, state, event) !== undefined;
}

export function isFinal<const T extends TransitionTable>(table: T, state: StateOf<T>): boolean {
  return Object.hasOwn(table, state) && keysOf(table[state] ?? {}).length === 0;
}

export function statesOf<const T extends TransitionTable>(table: T): StateOf<T>[] {
  return keysOf(table);
}

export function eventsOf<const T extends TransitionTable>(table: T): EventOf<T>[] {
  return [...new Set(Object.values(table).flatMap((events) => keysOf(events)))] as EventOf<T>[];
}

/** The states an event may happen in, for a condition on rows that says as much as the table. */
export function statesAllowing<const T extends TransitionTable>(table: T, event: EventOf<T>): StateOf<T>[] {
  return statesOf(table).filter((state) => can(table, state, event));
}

/** States are read from rows, so an own-property check keeps `constructor` and the like from passing as states. */
function targetOf(table: TransitionTable, state: string, event: string): string | undefined {
  const events = Object.hasOwn(table, state) ? table[state] : undefined;
  return events !== undefined && Object.hasOwn(events, event) ? events[event] : undefined;
}

function keysOf<T extends object>(object: T): (keyof T & string)[] {
  return Object.keys(object) as (keyof T & string)[];
}
