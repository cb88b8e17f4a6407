export { type Received, Sink } from './sink.ts';
