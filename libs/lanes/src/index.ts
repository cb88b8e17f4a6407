export { BUDGET_DEFAULTS, type BudgetLimits } from './engine/budget.ts';
export { type EngineOptions, LaneEngine } from './engine/lane-engine.ts';
export { type LaneHandler, type Lease } from './engine/lane-handler.ts';
export { type LaneObserver } from './engine/lane-observer.ts';
export { LANE_DEFAULTS, type LaneSettings } from './engine/lane-settings.ts';
export { Lookout } from './engine/lookout.ts';
export { DELIVERY_TRANSITIONS } from './lane/lane-states.ts';
export { type ClaimRequest, type LaneDepth, LaneStore } from './lane/lane-store.ts';
export {
  defineLane,
  type DoubtColumns,
  type Lane,
  type LaneDeclaration,
  type LaneMessage,
  outboxLane,
} from './lane/lane.ts';
export {
  AskableOutboxEntity,
  OutboxEntity,
  OutboxTable,
  OUTBOX_STATUSES,
  type OutboxStatus,
} from './lane/outbox.entity.ts';
export { type OrderedMessage, Outbox, type OutboxMessage } from './lane/outbox.ts';
export { type Settlement } from './lane/settlement.ts';
export {
  ActionLog,
  type ActionFilter,
  type ActionName,
  namesRow,
  type NamedRow,
  type Operator,
  type RecordedAction,
} from './operators/action-log.ts';
export { Operations } from './operators/operations.ts';
export { OutboxActionEntity } from './operators/outbox-action.entity.ts';
export { rowConditions, type RowConditions, type RowFilter } from './operators/row-filter.ts';
export { LaneMetrics } from './service/lane-metrics.ts';
export { LaneRunner } from './service/lane-runner.ts';
export { LanesConfig } from './service/lanes.config.ts';
export { LANE_ENTITIES, LanesModule } from './service/lanes.module.ts';
export { PeriodicTaskEntity } from './service/periodic-task.entity.ts';
export { PeriodicTasks } from './service/periodic-tasks.ts';
export { OutboxTargetEntity } from './targets/outbox-target.entity.ts';
export { laneTarget, targetName } from './targets/target-name.ts';
export { type Pause, TargetStore, type TargetLimits, type TargetReport } from './targets/target-store.ts';
