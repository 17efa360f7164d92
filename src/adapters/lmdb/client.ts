import { open, type RootDatabase } from 'lmdb';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { defaultMapBytes, maxNamedDatabases, maxReaders, type EnvironmentOptions } from './config.ts';
import { checkFolder } from './folder-check.ts';
import { reserveForOpening } from './space/reserved-space.ts';

/** An open environment. Its root database has binary keys and values and a version (a number) beside each value. */
export type Environment = RootDatabase<Buffer, Uint8Array>;

/**
 * Opens the environment in the folder, or makes it. A commit is on disk before it can be seen by anyone and before its
 * promise resolves (`overlappingSync: false`). Writes of one `ifVersion` block or batch are one transaction; writes
 * are not gathered by event turn, because a failed gathered transaction would be an unhandled rejection of the driver.
 *
 * `data.unusable`: the folder cannot be read or written, is damaged or holds something else. `data.newerFormat`.
 */
export function openEnvironment(options: EnvironmentOptions): Environment {
  const { path } = options;
  checkFolder(path);
  let environment: Environment | undefined;
  try {
    environment = open<Buffer, Uint8Array>({
      path,
      encoding: 'binary',
      keyEncoding: 'binary',
      useVersions: true,
      overlappingSync: false,
      eventTurnBatching: false,
      noSubdir: false,
      mapSize: options.mapBytes ?? defaultMapBytes,
      maxDbs: maxNamedDatabases,
      maxReaders,
    });
    reserveForOpening(path);
    checkFormat(environment, options);
    return environment;
  } catch (thrown) {
    void environment?.close().catch(() => undefined);
    if (thrown instanceof MillraceError) throw thrown;
    const reason = messageOf(thrown);
    throw new MillraceError('data.unusable', `cannot open the data folder "${path}": ${reason}`, {
      cause: thrown,
      details: { path },
    });
  }
}

/**
 * The format is in a named database of its own, so that it does not depend on how the owner lays out the others. A folder of an older
 * format has the newer one, durably, before its owner can write what only that allows: an older release refuses it from then on.
 */
function checkFormat(environment: Environment, options: EnvironmentOptions): void {
  const database = environment.openDB<unknown, string>('format', {
    encoding: 'json',
    keyEncoding: 'ordered-binary',
    useVersions: false,
  });
  if (storedFormat(database.get('format'), options) === options.format) return;
  // Others may open it at the same time, and none of them may make the format less than it is.
  environment.transactionSync(() => {
    if (storedFormat(database.get('format'), options) === options.format) return;
    database.putSync('format', { kind: options.kind, format: options.format });
  });
}

/** At most that of the options, or it throws; 0 in a new folder. */
function storedFormat(stored: unknown, options: EnvironmentOptions): number {
  if (stored === undefined) return 0;
  const found = readFormat(stored);
  if (found === undefined) {
    throw new MillraceError('data.unusable', `the folder "${options.path}" does not say what it holds; restore it`);
  }
  if (found.kind !== options.kind) {
    throw new MillraceError(
      'data.unusable',
      `the folder "${options.path}" holds "${found.kind}", expected "${options.kind}"; choose another folder`,
    );
  }
  if (found.format > options.format) {
    throw new MillraceError(
      'data.newerFormat',
      `the folder "${options.path}" has format ${found.format}, this version reads up to ${options.format}`,
      { details: { path: options.path, found: found.format, supported: options.format } },
    );
  }
  return found.format;
}

function readFormat(value: unknown): { readonly kind: string; readonly format: number } | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('format' in value)) return undefined;
  const { kind, format } = value;
  return typeof kind === 'string' && typeof format === 'number' ? { kind, format } : undefined;
}
