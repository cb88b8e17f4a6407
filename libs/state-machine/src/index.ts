export { checkTable, type TableProblem } from './check-table.ts';
export { IllegalTransition } from './illegal-transition.ts';
export {
  can,
  type EventOf,
  eventsOf,
  isFinal,
  next,
  type StateOf,
  statesAllowing,
  statesOf,
  type TargetOf,
  type TransitionTable,
} from './transition-table.ts';
