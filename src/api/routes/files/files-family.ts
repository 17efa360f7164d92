import type { Family } from '../../route/family.ts';
import {
  addFileTagRoute,
  deleteFileRoute,
  downloadFileRoute,
  getFileRoute,
  listFilesRoute,
  prepareFileRoute,
  removeFileTagRoute,
  uploadFileRoute,
} from './files.ts';
import { createTableFromFileRoute, getStorageJobRoute, importTableRoute, listStorageJobsRoute } from './imports.ts';

/** Files that tables are loaded from. */
export const filesFamily: Family = {
  name: 'files',
  routes: [
    prepareFileRoute,
    listFilesRoute,
    getFileRoute,
    deleteFileRoute,
    uploadFileRoute,
    downloadFileRoute,
    addFileTagRoute,
    removeFileTagRoute,
    createTableFromFileRoute,
    importTableRoute,
    listStorageJobsRoute,
    getStorageJobRoute,
  ],
};
