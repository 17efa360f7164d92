import { undeleteSink } from '../../../control/operations/undelete-sink.ts';
import { undeleteSource } from '../../../control/operations/undelete-source.ts';
import { sinkKind, sourceKind } from './object-kind.ts';
import { taskRoute } from './task-route.ts';

const undelete = { operation: 'undelete', method: 'PUT', path: '/undelete' } as const;

export const undeleteSourceRoute = taskRoute(sourceKind, {
  ...undelete,
  summary:
    'Bring a deleted source back as it was, with the sinks that were deleted with it; they take events from then on.',
  refuses: ['deletedSourceNotFound', 'sourceCountLimitReached', 'versionCountLimitReached'],
  start: undeleteSource,
});

export const undeleteSinkRoute = taskRoute(sinkKind, {
  ...undelete,
  summary: 'Bring a deleted sink back as it was; it takes events from then on.',
  refuses: ['deletedSinkNotFound', 'sinkCountLimitReached', 'versionCountLimitReached'],
  start: undeleteSink,
});
