export { FAST, keys, LANE_FIXTURE_OPTIONS, LaneFixture, SECRET } from './lane-fixture.ts';
export { SAMPLE_OUTBOX_SQL, sampleLane, SampleOutboxEntity } from './sample-outbox.entity.ts';
export { type Received, Sink } from './sink.ts';
