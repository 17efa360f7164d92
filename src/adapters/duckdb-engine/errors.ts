import { isCancellation, messageOf, MillraceError } from '../../core/millrace-error.ts';

/** True when DuckDB ran into its memory limit; the same statement may succeed under a higher one. */
export function isOutOfMemory(thrown: unknown): boolean {
  return /Out of Memory Error|failed to (pin|allocate)|could not allocate block/i.test(messageOf(thrown));
}

/** True when DuckDB refuses everything until the file is opened again; what was committed is safe in the file and its log. */
export function isInvalidated(thrown: unknown): boolean {
  return /FATAL Error|has been invalidated|INTERNAL Error/i.test(messageOf(thrown));
}

/** True when DuckDB cannot read the log of the file that it opens. */
export function isOfLog(thrown: unknown): boolean {
  return /\bWAL\b/.test(messageOf(thrown));
}

/** Makes an error of the port of what DuckDB threw. A cancellation and an error of ours come back as they are. */
export function fromDuckDb(thrown: unknown): Error {
  if (thrown instanceof MillraceError) return thrown;
  if (thrown instanceof Error && isCancellation(thrown)) return thrown;
  const message = messageOf(thrown);
  if (/CSV Error|Invalid unicode|not utf-8 encoded/i.test(message)) return invalidContent(message);
  if (/No files found that match/i.test(message)) {
    return new MillraceError('objects.notFound', 'a file of the import is not there', { cause: thrown });
  }
  if (isOutOfMemory(thrown)) {
    return new MillraceError(
      'table.outOfMemory',
      'the table store needs more memory than it may use, as for very long rows: give it more, by MILLRACE_TABLES_MEMORY',
      { cause: thrown },
    );
  }
  if (isDiskFull(message)) {
    return new MillraceError('table.unavailable', 'the disk of the table store is full', { cause: thrown });
  }
  return new MillraceError('table.unavailable', firstLine(message), { cause: thrown });
}

/** Makes an error of what opening the file threw: who holds it, or what is wrong with it. */
export function fromOpening(thrown: unknown, path: string): Error {
  if (thrown instanceof MillraceError) return thrown;
  const message = messageOf(thrown);
  const because = { cause: thrown, details: { path } };
  if (/Could not set lock|Conflicting lock|already attached|being used by another process/i.test(message)) {
    const holder = /PID (\d+)/.exec(message)?.[1];
    const who = holder === undefined ? 'another process' : `the process ${holder}`;
    return new MillraceError('data.locked', `the table file "${path}" is in use by ${who}`, because);
  }
  if (/database file with version number|newer version of DuckDB|storage version/i.test(message)) {
    return new MillraceError('data.newerFormat', `the table file "${path}" has a newer format`, because);
  }
  if (isDiskFull(message)) {
    return new MillraceError('data.unusable', `cannot open the table file "${path}": the disk is full`, because);
  }
  return new MillraceError('data.unusable', `cannot open the table file "${path}": ${firstLine(message)}`, because);
}

/** DuckDB quotes the line it refused: neither message nor cause may carry it, for it is a client's data. */
function invalidContent(message: string): MillraceError {
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1];
  const reason =
    /Expected Number of Columns: \d+ Found: \d+/.exec(message)?.[0] ??
    /Maximum line size of \d+ bytes exceeded/.exec(message)?.[0] ??
    /unterminated quote|invalid unicode|not utf-8 encoded/i.exec(message)?.[0] ??
    'the line does not follow the rules of CSV';
  return new MillraceError(
    'table.invalidContent',
    `the table store refused the content${line === undefined ? '' : ` at line ${line} of a file`}: ${reason}`,
  );
}

function isDiskFull(message: string): boolean {
  return /No space left on device|disk quota exceeded|max_temp_directory_size/i.test(message);
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}
