import type { InstallationId } from '../../../core/installation-id.ts';
import { installationMark, parseInstallationMark } from '../../../core/installation-mark.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import { markKey } from './keys.ts';
import type { LogStore } from './store.ts';

/** In the newest snapshot. */
export function readMark(store: LogStore): InstallationId | undefined {
  store.refresh();
  const mark = store.get(markKey);
  return mark === undefined
    ? undefined
    : parseInstallationMark(mark.toString(), `the mark of the log in "${store.path}"`);
}

/** Marks the log when it has no mark, in one transaction; answers whose it has. */
export async function writeMark(store: LogStore, installation: InstallationId): Promise<InstallationId> {
  const mark = Buffer.from(installationMark(installation));
  if (await store.writeIf(markKey, undefined, () => store.put(markKey, mark))) return installation;
  const present = readMark(store);
  if (present !== undefined) return present;
  throw new MillraceError('log.unavailable', `the mark of the log in "${store.path}" was there and is gone`);
}
