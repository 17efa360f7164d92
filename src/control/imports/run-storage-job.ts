import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CsvRow } from '../../core/imports/csv-reader.ts';
import { storageLoad, type StorageJob, type StorageJobResult } from '../../core/imports/storage-job.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { storageJobDocumentId } from '../../documents/document-id.ts';
import { readDocument } from '../../documents/read-document.ts';
import { storageJobDocuments, storageJobResult } from '../../documents/storage-job-document.ts';
import type { CsvContent } from '../../ports/csv-content.ts';
import type { LoadRow } from '../../ports/table-loads.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { sentence } from '../errors/sentence.ts';
import { taskError } from '../errors/told.ts';
import { fileAt, openFile } from '../files/stored-files.ts';
import { aloneOnBuckets } from '../operations/alone-on-buckets.ts';
import type { Parts } from '../parts.ts';
import { randomText } from '../store/random-text.ts';
import { checkColumns, checkDestination, type DestinationParts } from './check-destination.ts';
import { readFileRows } from './read-file-rows.ts';
import { writeRows } from './write-rows.ts';

export type RunStorageJobParts = DestinationParts &
  Pick<Parts, 'catalog' | 'clock' | 'loads' | 'localFolder' | 'objects' | 'ownership' | 'random' | 'seat' | 'tasks'>;

/** Why an import waits and is not over. */
const passing: ReadonlySet<string> = new Set([
  'table.unavailable',
  'objects.unavailable',
  'catalog.unavailable',
  'catalog.contended',
  'object.busy',
  'file.noSpace',
]);

/**
 * Runs a job to its end. Its ledger row makes that it is loaded once or not at all, whoever runs it and however often: who finds it loaded
 * ends it as a success; who ends it as an error has given the load up before, so that nobody loads it any more.
 */
export async function runStorageJob(parts: RunStorageJobParts, jobId: string, options: Waiting): Promise<void> {
  for (;;) {
    try {
      return await attempt(parts, jobId, options);
    } catch (thrown) {
      options.signal.throwIfAborted();
      if (!passing.has(MillraceError.fromUnknown(thrown).code)) throw thrown;
      await parts.clock.sleep(1000, options);
    }
  }
}

async function attempt(parts: RunStorageJobParts, jobId: string, options: Waiting): Promise<void> {
  const { catalog, clock, loads } = parts;
  const place = { kind: storageJobDocuments, id: storageJobDocumentId(jobId) };
  const job = (await readDocument(catalog, place, options))?.value;
  if (job === undefined || job.status === 'success' || job.status === 'error') return;
  const before = await loads.readLoad(storageLoad(jobId), options);
  if (before?.verdict === 'loaded') return succeed(parts, job, { row: before, options });
  const startedAt = job.status === 'processing' ? job.startedAt : new Date(clock.now()).toISOString();
  const running: StorageJob = { jobId, created: job.created, request: job.request, status: 'processing', startedAt };
  await move(parts, job, { to: running, options });
  try {
    if (before?.verdict !== 'open')
      throw new MillraceError(
        'import.invalid',
        'The import was not begun: the process that took it ended at once. Ask again.',
      );
    return await succeed(parts, running, { row: await load(parts, running, options), options });
  } catch (thrown) {
    options.signal.throwIfAborted();
    const error = MillraceError.fromUnknown(thrown);
    if (passing.has(error.code)) throw error;
    const row = await loads.abandonLoad(storageLoad(jobId), options);
    if (row.verdict === 'loaded') return succeed(parts, running, { row, options });
    const endedAt = new Date(clock.now()).toISOString();
    const told = { code: error.code, message: sentence(taskError(thrown)) };
    const failed: StorageJob = { ...running, status: 'error', startedAt, endedAt, error: told };
    return move(parts, running, { to: failed, options });
  }
}

interface Loaded {
  readonly row: LoadRow;
  readonly options: Waiting;
}

function succeed(parts: RunStorageJobParts, job: StorageJob, { row, options }: Loaded): Promise<void> {
  const now = new Date(parts.clock.now()).toISOString();
  const startedAt = job.status === 'waiting' ? now : (job.startedAt ?? now);
  const { jobId, created, request } = job;
  const result = storageJobResult.parse(parseJsonText(row.note));
  return move(parts, job, {
    to: { jobId, created, request, status: 'success', startedAt, endedAt: now, result },
    options,
  });
}

/** Whoever ended it before has the last word. */
async function move(
  { catalog }: RunStorageJobParts,
  { jobId }: StorageJob,
  { to, options }: { readonly to: StorageJob; readonly options: Waiting },
): Promise<void> {
  const change = (found: StorageJob | undefined): StorageJob | undefined =>
    found === undefined || found.status === 'success' || found.status === 'error' ? undefined : { ...found, ...to };
  await changeDocument(catalog, { kind: storageJobDocuments, id: storageJobDocumentId(jobId), change }, options);
}

async function load(parts: RunStorageJobParts, job: StorageJob, options: Waiting): Promise<LoadRow> {
  const { tasks, localFolder, random } = parts;
  const { tableId } = job.request;
  const folder = join(localFolder, 'imports');
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${job.jobId}-${randomText(random, 12)}.csv`);
  try {
    const staged = await stage(parts, job, { ...options, path });
    const claims = [{ key: `table ${tableId}`, mode: 'exclusive' }] as const;
    return await tasks.alone({ claims }, () =>
      aloneOnBuckets(tasks.serial, [tableId], () => loadStaged(parts, job, { ...staged, options })),
    );
  } finally {
    await rm(path, { force: true });
  }
}

interface Staged {
  readonly content: CsvContent;
  readonly rows: number;
  readonly columns: readonly string[];
}

/** The rows of the file in a local one, in the form in which tables take them. */
async function stage(
  parts: RunStorageJobParts,
  { request }: StorageJob,
  { path, ...options }: Waiting & { readonly path: string },
): Promise<Staged> {
  const { form, fileId, tableId, primaryKey } = request;
  const table = await checkDestination(parts, request, options);
  const content = await openFile(parts, await fileAt(parts, fileId, options), options);
  const read = readFileRows(content, form, options);
  try {
    const { header, rows } =
      form.columns === undefined && form.hasHeader ? await headed(read) : { header: undefined, rows: read };
    const columns = form.columns ?? header ?? table?.columns;
    if (columns === undefined)
      throw new MillraceError(
        'import.invalid',
        'A file without a header, for a table that is to be made, needs "columns".',
      );
    checkColumns({ tableId, table, columns, primaryKey });
    return { ...(await writeRows({ path, columns, rows }, options)), columns };
  } finally {
    content.destroy();
  }
}

type Rows = AsyncIterable<readonly CsvRow[]>;

/** The first line, and those behind it. */
async function headed(read: AsyncGenerator<readonly CsvRow[]>): Promise<{ header: readonly string[]; rows: Rows }> {
  const some = await read.next();
  const [first, ...others] = some.done === true ? [] : some.value;
  if (first === undefined)
    throw new MillraceError('import.invalid', 'The file is empty: its first line must name the columns.');
  const rows = async function* rows(): AsyncGenerator<readonly CsvRow[]> {
    yield others;
    yield* read;
  };
  // Some programs put a mark before the first character.
  return { header: first.cells.map((cell, at) => (at === 0 ? cell.replace(/^\uFEFF/, '') : cell)), rows: rows() };
}

async function loadStaged(
  parts: RunStorageJobParts,
  { jobId, request }: StorageJob,
  { content, rows, columns, options }: Staged & { readonly options: Waiting },
): Promise<LoadRow> {
  const { tableId, primaryKey, isIncremental } = request;
  // A load that has happened has made the table.
  const before = await parts.loads.readLoad(storageLoad(jobId), options);
  if (before !== undefined && before.verdict !== 'open') return before;
  const table = await checkDestination(parts, request, options);
  checkColumns({ tableId, table, columns, primaryKey });
  await parts.ownership.assertOurs('tables', options);
  await parts.seat.assertHeld(options);
  const result: StorageJobResult = { rows, bytes: content.bytes, columns };
  const one = {
    tableId,
    columns,
    primaryKey: table?.primaryKey ?? primaryKey,
    isIncremental,
    rows: rows === 0 ? [] : [content],
    expectedRows: rows,
  };
  return parts.loads.load(storageLoad(jobId), { tables: [one], note: JSON.stringify(result) }, options);
}
