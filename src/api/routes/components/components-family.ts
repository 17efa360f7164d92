import type { Family } from '../../route/family.ts';
import {
  createConfigurationRoutes,
  deleteConfigurationRoutes,
  getConfigurationRoutes,
  restoreConfigurationRoutes,
  setConfigurationStateRoutes,
  updateConfigurationRoutes,
} from './configurations.ts';
import { getComponentRoutes, listComponentsRoutes, listConfigurationsRoutes } from './list-components.ts';
import { copyRowRoutes, getRowVersionRoutes, listRowVersionsRoutes, rollbackRowRoutes } from './row-versions.ts';
import {
  createRowRoutes,
  deleteRowRoutes,
  getRowRoutes,
  listRowsRoutes,
  setRowStateRoutes,
  updateRowRoutes,
} from './rows.ts';
import { deleteScheduleRoutes, getScheduleRoutes, setScheduleRoutes } from './schedules.ts';
import { storageIndexRoute } from './storage-index.ts';
import { deleteVaultRoutes, listVaultRoutes, setVaultRoutes } from './vault.ts';
import {
  copyConfigurationRoutes,
  getConfigurationVersionRoutes,
  listConfigurationVersionsRoutes,
  rollbackConfigurationRoutes,
} from './versions.ts';

/** Components, their configurations and the vault. */
export const componentsFamily: Family = {
  name: 'components',
  routes: [
    storageIndexRoute,
    ...listComponentsRoutes,
    ...getComponentRoutes,
    ...listConfigurationsRoutes,
    ...createConfigurationRoutes,
    ...getConfigurationRoutes,
    ...updateConfigurationRoutes,
    ...deleteConfigurationRoutes,
    ...setConfigurationStateRoutes,
    ...restoreConfigurationRoutes,
    ...listConfigurationVersionsRoutes,
    ...getConfigurationVersionRoutes,
    ...rollbackConfigurationRoutes,
    ...copyConfigurationRoutes,
    ...listRowsRoutes,
    ...createRowRoutes,
    ...getRowRoutes,
    ...updateRowRoutes,
    ...deleteRowRoutes,
    ...setRowStateRoutes,
    ...listRowVersionsRoutes,
    ...getRowVersionRoutes,
    ...rollbackRowRoutes,
    ...copyRowRoutes,
    ...getScheduleRoutes,
    ...setScheduleRoutes,
    ...deleteScheduleRoutes,
    ...listVaultRoutes,
    ...setVaultRoutes,
    ...deleteVaultRoutes,
  ],
};
