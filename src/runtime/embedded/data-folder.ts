import { accessSync, constants, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { writeDurably } from './write-durably.ts';

/** Where things are in the data folder of an embedded process. */
export interface DataFolder {
  readonly path: string;
  readonly catalog: string;
  readonly sourceLog: string;
  readonly sinkLog: string;
  readonly staging: string;
  /** Local slice files: a cache of the log. */
  readonly local: string;
  /** Spilled rows and exports of the table store. */
  readonly temporary: string;
  readonly tables: string;
}

/** Version of the folder's layout and of every document in it. */
const formatVersion = 1;

export function dataFolder(path: string): DataFolder {
  return {
    path,
    catalog: join(path, 'catalog'),
    sourceLog: join(path, 'log', 'sources'),
    sinkLog: join(path, 'log', 'sinks'),
    staging: join(path, 'staging'),
    local: join(path, 'local'),
    temporary: join(path, 'tmp'),
    tables: join(path, 'tables.duckdb'),
  };
}

/** Makes the folder when it is missing and checks that it can be used and was not written by a newer version. Changes nothing else. */
export function prepareDataFolder(folder: DataFolder): void {
  const { path } = folder;
  workOn(path, () => {
    makeFolder(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  });
  checkFormat(folder);
}

/** Whether a process has worked on the folder. */
export function hasData(folder: DataFolder): boolean {
  return readFormat(folder) !== undefined;
}

/** Whether users of the machine who are neither its owner nor of its group may look into the folder. */
export function isOpenToOthers({ path }: DataFolder): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o007) !== 0;
}

/** What only the process that holds the folder's lock may do: notes the format and empties the caches. */
export function occupyDataFolder(folder: DataFolder): void {
  const { catalog, sourceLog, sinkLog, staging, local, temporary } = folder;
  if (readFormat(folder) === undefined) {
    const path = join(folder.path, 'format.json');
    workOn(path, () => writeDurably(path, `${JSON.stringify({ format: formatVersion })}\n`));
  }
  workOn(local, () => rmSync(local, { recursive: true, force: true }));
  for (const path of [catalog, sourceLog, sinkLog, staging, local, temporary]) workOn(path, () => makeFolder(path));
}

/** Does something with a path; what is wrong with it is `data.unusable`, with its name. */
function workOn(path: string, work: () => void): void {
  try {
    work();
  } catch (thrown) {
    throw unusable(path, thrown);
  }
}

function checkFormat(folder: DataFolder): void {
  const format = readFormat(folder);
  if (format === undefined || format <= formatVersion) return;
  throw new MillraceError(
    'data.newerFormat',
    `the data folder "${folder.path}" has format ${format}; this version knows formats up to ${formatVersion}`,
  );
}

function readFormat(folder: DataFolder): number | undefined {
  const path = join(folder.path, 'format.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw unusable(path, thrown);
  }
  try {
    return z.object({ format: z.int().positive() }).parse(parseJsonText(text)).format;
  } catch (thrown) {
    throw new MillraceError(
      'data.unusable',
      `"${path}" is damaged: expected {"format": <number>}, found "${text.trim().slice(0, 80)}"`,
      { cause: thrown },
    );
  }
}

/** Reads a file with a secret, or makes it with mode 0600. Answers whether it was made now. */
export function readOrMakeSecret(
  folder: DataFolder,
  name: string,
  make: () => string,
): { readonly text: string; readonly isMade: boolean } {
  const known = readSecret(folder, name);
  if (known !== undefined) return { text: known, isMade: false };
  const path = join(folder.path, name);
  const text = make();
  workOn(path, () => writeDurably(path, `${text}\n`));
  return { text, isMade: true };
}

/** The secret of a file; undefined when there is none. */
export function readSecret(folder: DataFolder, name: string): string | undefined {
  const path = join(folder.path, name);
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? undefined : text;
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw unusable(path, thrown);
  }
}

export function forgetSecret(folder: DataFolder, name: string): void {
  rmSync(join(folder.path, name), { force: true });
}

function isMissing(thrown: unknown): boolean {
  return hasCode(thrown, 'ENOENT');
}

function hasCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}

function unusable(path: string, thrown: unknown): MillraceError {
  const reason = messageOf(thrown);
  return new MillraceError('data.unusable', `"${path}" cannot be used: ${reason}`, { cause: thrown });
}

/** Makes a folder and those above it. Node's own way of that never ends where a file system refuses with ENOENT, as /proc does. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    if (hasCode(thrown, 'EEXIST')) {
      if (statSync(path).isDirectory()) return;
      throw new Error('it is not a folder', { cause: thrown });
    }
    if (!hasCode(thrown, 'ENOENT') || dirname(path) === path) throw thrown;
    makeFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}
