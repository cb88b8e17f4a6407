export {
  ActionLog,
  type ActionFilter,
  type ActionName,
  namesRow,
  type NamedRow,
  type RecordedAction,
} from './action-log.ts';
export { AddressGuard, ForbiddenAddress } from './address-guard.ts';
export { HttpSender, type HttpSenderOptions } from './http-sender.ts';
export { LaneMetrics } from './lane-metrics.ts';
export { LaneRunner } from './lane-runner.ts';
export { type Settlement, type Verdict } from './lane-sql.ts';
export { type DueTarget, type LaneDepth, LaneStore } from './lane-store.ts';
export {
  LANE_DEFAULTS,
  type LaneHandler,
  type LaneObserver,
  type LaneSettings,
  LaneWorker,
} from './lane-worker.ts';
export { type Lane, type LaneMessage, outboxLane } from './lane.ts';
export { OutboxActionEntity } from './outbox-action.entity.ts';
export { DEVELOPMENT_CALLBACK_SECRET, DEVELOPMENT_SIGNING_SECRET, OutboxConfig } from './outbox.config.ts';
export { LANE_ENTITIES, OutboxModule } from './outbox.module.ts';
export { OutboxTargetEntity } from './outbox-target.entity.ts';
export { OutboxEntity, OUTBOX_STATUSES, type OutboxStatus } from './outbox.entity.ts';
export {
  type Operator,
  Outbox,
  type OrderedMessage,
  type OutboxMessage,
  type ReplayFilter,
} from './outbox.ts';
export { DELIVERED, type Outcome } from './outcome.ts';
export { PeriodicTaskEntity } from './periodic-task.entity.ts';
export { PeriodicTasks } from './periodic-tasks.ts';
export { rowConditions, type RowConditions, type RowFilter } from './row-filter.ts';
export { TargetGate } from './target-gate.ts';
export { type Pause, type TargetReport } from './target-store.ts';
export { type TargetLimits, TargetStore } from './target-store.ts';
export { WebhookSigner, WebhookVerifier } from './webhook-signature.ts';
