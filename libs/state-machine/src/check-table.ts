import { isFinal, type StateOf, statesOf, type TransitionTable } from './transition-table.ts';

export type TableProblem =
  | {
      readonly problem: 'undeclared-target';
      readonly state: string;
      readonly event: string;
      readonly target: string;
    }
  | { readonly problem: 'unreachable'; readonly state: string }
  | { readonly problem: 'never-ends'; readonly state: string };

/** Everything wrong with a table, for a spec to expect `[]` of; a row in a `never-ends` state is stuck for good. */
export function checkTable<const T extends TransitionTable>(
  table: T,
  { initial }: { readonly initial: readonly StateOf<T>[] },
): TableProblem[] {
  const states: string[] = statesOf(table);
  const edges = edgesOf(table);
  const reachable = closure(initial, (state) =>
    edges.filter((edge) => edge.state === state).map((edge) => edge.target),
  );
  const ending = closure(
    states.filter((state) => isFinal<TransitionTable>(table, state)),
    (state) => edges.filter((edge) => edge.target === state).map((edge) => edge.state),
  );
  return [
    ...edges
      .filter((edge) => !states.includes(edge.target))
      .map((edge) => ({ problem: 'undeclared-target' as const, ...edge })),
    ...states
      .filter((state) => !reachable.has(state))
      .map((state) => ({ problem: 'unreachable' as const, state })),
    ...states
      .filter((state) => !ending.has(state))
      .map((state) => ({ problem: 'never-ends' as const, state })),
  ];
}

function edgesOf(table: TransitionTable) {
  return Object.entries(table).flatMap(([state, events]) =>
    Object.entries(events).map(([event, target]) => ({ state, event, target })),
  );
}

function closure(from: readonly string[], neighbours: (state: string) => readonly string[]): Set<string> {
  const found = new Set(from);
  // A set that grows while it is iterated hands out the new members too.
  for (const state of found) for (const neighbour of neighbours(state)) found.add(neighbour);
  return found;
}
