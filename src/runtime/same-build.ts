import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemCode } from '../adapters/system-code.ts';
import { MillraceError } from '../core/millrace-error.ts';

/** Texts of entries when this process first asked for them. */
const begun = new Map<string, string | undefined>();

/** Remembers what the entry of a thread is now: as a process begins, also for threads that begin later. Answers the entry. */
export function noteBuild(entry: URL): URL {
  if (!begun.has(entry.href)) begun.set(entry.href, textOf(entry));
  return entry;
}

/**
 * Throws `thread.otherBuild` when the entry is not what it was. A build names each file by what is in it, and those that the file
 * loads, so that the text of the entry stands for all the code of a thread.
 */
export function requireSameBuild(entry: URL): void {
  if (!begun.has(entry.href) || begun.get(entry.href) === textOf(entry)) return;
  throw new MillraceError(
    'thread.otherBuild',
    `no thread can begin: the files in ${dirname(fileURLToPath(entry))} are others than those that this process began with, or missing; restart it`,
  );
}

/** Undefined when there is none, or it is no file. What cannot be read now is no other build: whoever begins tries again. */
function textOf(entry: URL): string | undefined {
  if (entry.protocol !== 'file:') return undefined;
  try {
    return readFileSync(entry, 'utf8');
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw thrown;
  }
}
