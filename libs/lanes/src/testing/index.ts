export {
  type EngineExtras,
  FAST,
  keys,
  LANE_FIXTURE_OPTIONS,
  LaneFixture,
  type RunningEngine,
  SECRET,
} from './lane-fixture.ts';
export {
  askableLane,
  SAMPLE_TABLES,
  SampleAskableEntity,
  sampleLane,
  SampleOutboxEntity,
} from './sample-outbox.entity.ts';
export { outboxesWithoutLane } from './outboxes-without-lane.ts';
