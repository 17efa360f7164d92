import { createTokenRoute, deleteTokenRoute, getTokenRoute, refreshTokenRoute } from './access/change-tokens.ts';
import { aggregateSourcesRoute } from './stream/aggregate-sources.ts';
import { createSinkRoute } from './stream/create-sink.ts';
import { createSourceRoute } from './stream/create-source.ts';
import { deleteSourceRoute } from './stream/delete-source.ts';
import { documentationRoutes } from './service/documentation.ts';
import { flushSinkRoute } from './stream/flush-sink.ts';
import { getSinkRoute } from './stream/get-sink.ts';
import { getSourceRoute } from './stream/get-source.ts';
import { getTaskRoute } from './stream/get-task.ts';
import { listAuditRoute } from './access/list-audit.ts';
import { listImportsRoute } from './stream/list-imports.ts';
import { listDeletedSinksRoute, listSinksRoute } from './stream/list-sinks.ts';
import { listDeletedSourcesRoute, listSourcesRoute } from './stream/list-sources.ts';
import { rollbackSinkVersionRoute, rollbackSourceVersionRoute } from './stream/rollback-version.ts';
import { rotateSecretRoute } from './stream/rotate-secret.ts';
import type { Route } from '../route/route.ts';
import { healthCheckRoute, indexRoute, rootRoute } from './service/service-pages.ts';
import {
  getSinkSettingsRoute,
  getSourceSettingsRoute,
  patchSinkSettingsRoute,
  patchSourceSettingsRoute,
} from './stream/settings.ts';
import { sinkProgressRoute } from './stream/sink-progress.ts';
import {
  clearSinkStatisticsRoute,
  clearSourceStatisticsRoute,
  getSinkFilesRoute,
  getSinkStatisticsRoute,
} from './stream/statistics.ts';
import { deleteSinkRoute, disableSinkRoute, enableSinkRoute } from './stream/switch-sink.ts';
import { disableSourceRoute, enableSourceRoute } from './stream/switch-source.ts';
import { exportTableRoute, getTableRoute, listTablesRoute, previewTableRoute } from './storage/tables.ts';
import { testSourceRoute } from './stream/test-source.ts';
import { listTokensRoute, verifyTokenRoute } from './access/tokens.ts';
import { undeleteSinkRoute, undeleteSourceRoute } from './stream/undelete.ts';
import { updateSinkRoute } from './stream/update-sink.ts';
import { updateSourceRoute } from './stream/update-source.ts';
import {
  getSinkVersionRoute,
  getSourceVersionRoute,
  listSinkVersionsRoute,
  listSourceVersionsRoute,
} from './stream/versions.ts';

/** Every endpoint. Of two paths that fit a request, the first is taken: fixed steps stand before parameters. */
export const routeTable: readonly Route[] = [
  rootRoute,
  indexRoute,
  healthCheckRoute,
  ...documentationRoutes,
  getTaskRoute,
  aggregateSourcesRoute,
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
  getSinkStatisticsRoute,
  getSinkFilesRoute,
  clearSinkStatisticsRoute,
  listImportsRoute,
  listTablesRoute,
  getTableRoute,
  previewTableRoute,
  exportTableRoute,
  verifyTokenRoute,
  listTokensRoute,
  listAuditRoute,
  createTokenRoute,
  getTokenRoute,
  refreshTokenRoute,
  deleteTokenRoute,
];
