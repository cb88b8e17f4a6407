export { SAMPLE_OUTBOX_SQL, sampleLane, SampleOutboxEntity } from './sample-outbox.entity.ts';
export { type Received, Sink } from './sink.ts';
