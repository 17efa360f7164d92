import type { Family } from '../route/family.ts';
import type { Route } from '../route/route.ts';
import { accessFamily } from './access/access-family.ts';
import { backupFamily } from './backup/backup-family.ts';
import { componentsFamily } from './components/components-family.ts';
import { filesFamily } from './files/files-family.ts';
import { jobsFamily } from './jobs/jobs-family.ts';
import { lettersFamily } from './letters/letters-family.ts';
import { serviceFamily } from './service/service-family.ts';
import { storageFamily } from './storage/storage-family.ts';
import { streamFamily } from './stream/stream-family.ts';

/** The interfaces that the API has, in the order in which it describes them. */
export const families: readonly Family[] = [
  serviceFamily,
  streamFamily,
  lettersFamily,
  storageFamily,
  filesFamily,
  componentsFamily,
  jobsFamily,
  accessFamily,
  backupFamily,
];

/** Every endpoint. */
export const routeTable: readonly Route[] = routesOf(families);

/** The endpoints of these families, which have names and paths of their own. */
export function routesOf(all: readonly Family[]): readonly Route[] {
  return all.flatMap(({ routes }) => routes);
}
