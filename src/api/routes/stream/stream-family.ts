import type { Family } from '../../route/family.ts';
import { aggregateSourcesRoute } from './aggregate-sources.ts';
import { conservationRoute } from './conservation.ts';
import { createSinkRoute } from './create-sink.ts';
import { createSourceRoute } from './create-source.ts';
import { deleteSourceRoute } from './delete-source.ts';
import { flushSinkRoute } from './flush-sink.ts';
import { getSinkRoute } from './get-sink.ts';
import { getSourceRoute } from './get-source.ts';
import { getTaskRoute } from './get-task.ts';
import { listEventsRoute } from './list-events.ts';
import { listImportsRoute } from './list-imports.ts';
import { listDeletedSinksRoute, listSinksRoute } from './list-sinks.ts';
import { listDeletedSourcesRoute, listSourcesRoute } from './list-sources.ts';
import { rollbackSinkVersionRoute, rollbackSourceVersionRoute } from './rollback-version.ts';
import { rankSinksRoute } from './rank-sinks.ts';
import { rotateSecretRoute } from './rotate-secret.ts';
import {
  getSinkSettingsRoute,
  getSourceSettingsRoute,
  patchSinkSettingsRoute,
  patchSourceSettingsRoute,
} from './settings.ts';
import { sinkProgressRoute } from './sink-progress.ts';
import { sinkWhyRoute } from './sink-why.ts';
import {
  clearSinkStatisticsRoute,
  clearSourceStatisticsRoute,
  getSinkFilesRoute,
  getSinkStatisticsRoute,
} from './statistics.ts';
import { deleteSinkRoute, disableSinkRoute, disableSourceRoute, enableSinkRoute, enableSourceRoute } from './switch.ts';
import { testSourceRoute } from './test-source.ts';
import { traceEventsRoute } from './trace-events.ts';
import { undeleteSinkRoute, undeleteSourceRoute } from './undelete.ts';
import { updateSinkRoute } from './update-sink.ts';
import { updateSourceRoute } from './update-source.ts';
import {
  getSinkVersionRoute,
  getSourceVersionRoute,
  listSinkVersionsRoute,
  listSourceVersionsRoute,
} from './versions.ts';

/** Sources, sinks and tasks, and where their events are. */
export const streamFamily: Family = {
  name: 'stream',
  routes: [
    getTaskRoute,
    aggregateSourcesRoute,
    conservationRoute,
    rankSinksRoute,
    listSourcesRoute,
    createSourceRoute,
    listDeletedSourcesRoute,
    getSourceRoute,
    updateSourceRoute,
    deleteSourceRoute,
    disableSourceRoute,
    enableSourceRoute,
    undeleteSourceRoute,
    rotateSecretRoute,
    getSourceSettingsRoute,
    patchSourceSettingsRoute,
    testSourceRoute,
    listEventsRoute,
    traceEventsRoute,
    listSourceVersionsRoute,
    getSourceVersionRoute,
    rollbackSourceVersionRoute,
    clearSourceStatisticsRoute,
    listSinksRoute,
    createSinkRoute,
    listDeletedSinksRoute,
    getSinkRoute,
    updateSinkRoute,
    deleteSinkRoute,
    disableSinkRoute,
    enableSinkRoute,
    undeleteSinkRoute,
    getSinkSettingsRoute,
    patchSinkSettingsRoute,
    listSinkVersionsRoute,
    getSinkVersionRoute,
    rollbackSinkVersionRoute,
    flushSinkRoute,
    sinkProgressRoute,
    sinkWhyRoute,
    getSinkStatisticsRoute,
    getSinkFilesRoute,
    clearSinkStatisticsRoute,
    listImportsRoute,
  ],
};
