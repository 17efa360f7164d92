import { flushSink } from '../../../control/operations/flush-sink.ts';
import { sinkKind } from './object-kind.ts';
import { taskRoute } from './task-route.ts';

export const flushSinkRoute = taskRoute(sinkKind, {
  operation: 'flush',
  method: 'POST',
  path: '/flush',
  summary: 'Deliver now what was accepted before the call; the task ends when it is in the table.',
  start: flushSink,
});
