import type { Family } from '../../route/family.ts';
import {
  createBucketRoute,
  deleteBucketRoute,
  getBucketRoute,
  listBucketsRoute,
  listBucketTablesRoute,
} from './buckets.ts';
import { deleteTableRoute, emptyTableRoute, listDependentsRoute, renameTableRoute } from './change-tables.ts';
import { addColumnRoute, dropColumnRoute } from './columns.ts';
import { createTableRoute } from './create-table.ts';
import { exportTableRoute, getTableRoute, listTablesRoute, previewTableRoute } from './tables.ts';

/** The tables and their buckets. */
export const storageFamily: Family = {
  name: 'storage',
  routes: [
    listBucketsRoute,
    createBucketRoute,
    getBucketRoute,
    deleteBucketRoute,
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
    addColumnRoute,
    dropColumnRoute,
  ],
};
