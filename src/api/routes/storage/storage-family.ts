import type { Family } from '../../route/family.ts';
import { createTableRoute, getBucketRoute, listBucketsRoute, listBucketTablesRoute } from './buckets.ts';
import { deleteTableRoute, emptyTableRoute, listDependentsRoute, renameTableRoute } from './change-tables.ts';
import { exportTableRoute, getTableRoute, listTablesRoute, previewTableRoute } from './tables.ts';

/** The tables and their buckets. */
export const storageFamily: Family = {
  name: 'storage',
  routes: [
    listBucketsRoute,
    getBucketRoute,
    listBucketTablesRoute,
    createTableRoute,
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
