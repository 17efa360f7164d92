import type { Family } from '../../route/family.ts';
import { getBackupRoute, startBackupRoute, stopBackupRoute } from './backup.ts';

/** Copies of everything that a process has. */
export const backupFamily: Family = {
  name: 'backup',
  routes: [getBackupRoute, startBackupRoute, stopBackupRoute],
};
