import type { Family } from '../../route/family.ts';
import { deleteTableRoute, emptyTableRoute, listDependentsRoute, renameTableRoute } from './change-tables.ts';
import { exportTableRoute, getTableRoute, listTablesRoute, previewTableRoute } from './tables.ts';

/** The tables. */
export const storageFamily: Family = {
  name: 'storage',
  routes: [
    listTablesRoute,
    getTableRoute,
    previewTableRoute,
    exportTableRoute,
    listDependentsRoute,
    deleteTableRoute,
    emptyTableRoute,
    renameTableRoute,
  ],
};
