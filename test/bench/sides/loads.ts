import type { BenchOptions } from '../bench.ts';
import { batch, event, linesPerBatch } from './event.ts';
import type { LoadOptions } from './loaded-side.ts';

type Amount = Pick<BenchOptions, 'connections' | 'seconds'>;

/** One event a request. */
export const singleLoad = ({ connections, seconds }: Amount): LoadOptions => ({
  body: event,
  connections,
  seconds,
});

/** A hundred lines a request. */
export const batchLoad = ({ connections, seconds }: Amount): LoadOptions => ({
  body: batch,
  connections,
  seconds,
  contentType: 'application/x-ndjson',
  eventsPerRequest: linesPerBatch,
});
