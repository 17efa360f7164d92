import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import type { Job, JobValue, OutputTable as JobTable } from '../../core/jobs/job.ts';
import type { FoundSoFar } from '../../core/jobs/run-progress.ts';
import type { KeptState, LoadNote } from '../../core/jobs/load-note.ts';
import { limits } from '../../core/limits.ts';
import { writeLoadNote } from '../../documents/load-note.ts';
import type { Extraction, ExtractionRun } from '../../extractor/extraction.ts';
import { runExtraction } from '../../extractor/run-extraction.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { LoadRequest, TableLoad } from '../../ports/table-loads.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { configurationText } from '../../variables/configuration-text.ts';
import type { ConfigurationSecrets } from './configuration-secrets.ts';
import { destinationOf } from './destination.ts';
import { FileSpool } from './file-spool.ts';
import type { HiddenValues } from '../../secrets/hidden-values.ts';
import type { DiskShare } from './job-disk.ts';
import { makeFolder } from './job-folder.ts';
import type { Patience } from './patience.ts';
import { prepareRuns, type PreparedRun, type PreparedRuns } from './prepare-runs.ts';
import type { RunLog } from './run-log.ts';
import { fieldAt } from './stored-configurations.ts';
import { writeCsv } from './write-csv.ts';

export interface RunJobOptions extends Pick<ExtractionRun, 'openHttp' | 'random'> {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly secrets: ConfigurationSecrets;
}

/** What one run of a job has for itself. */
export interface RunPlace {
  readonly log: RunLog;
  readonly hidden: HiddenValues;
  /** It is there, and empty. */
  readonly folder: string;
  readonly disk: DiskShare;
  readonly patience: Patience;
  /** Told behind each page. */
  readonly onProgress: (soFar: FoundSoFar) => void;
}

/** What a job found, on the disk and ready to be loaded. */
export interface FoundByJob {
  readonly note: LoadNote;
  readonly load: LoadRequest;
}

/** Runs what a job asks for, from its configuration to files of rows. Rejects with why the job must end, and with the signal's reason. */
export async function runJob(
  job: Job,
  options: RunJobOptions,
  { place, ...waiting }: Waiting & { readonly place: RunPlace },
): Promise<FoundByJob> {
  const { log, hidden, patience } = place;
  const progress = new SumOfRuns(place.onProgress);
  const prepare = () => prepareRuns(job, { ...options, hidden, log }, waiting);
  const prepared = await patience.for(prepare, waiting);
  const loads: TableLoad[] = [];
  const states: KeptState[] = [];
  for (const [at, run] of prepared.runs.entries()) {
    log.info(`Running component ${job.request.componentId} (${at + 1} of ${prepared.runs.length})`);
    const folder = await makeFolder(join(place.folder, String(at)));
    if (fieldAt(fieldAt(fieldAt(run.configuration, 'parameters'), 'config'), 'debug') === true) log.showDebug();
    const spool = new FileSpool(folder, place.disk);
    const onProgress = (soFar: FoundSoFar): void => progress.tell(soFar);
    const found = await runExtraction({ ...options, ...run, log, spool, onProgress }, waiting);
    progress.add(found);
    loads.push(...(await tablesOf(found, { job, run, place, folder }, waiting)));
    if (run.stateOwner !== undefined) states.push({ ...run.stateOwner, state: configurationText(found.state) });
  }
  const note = { result: resultOf(prepared, loads), states };
  return { note, load: { tables: loads, note: writeLoadNote(note) } };
}

/** Adds up what the runs of one job have found. */
class SumOfRuns {
  readonly #tell: RunPlace['onProgress'];
  #before: FoundSoFar = { pages: 0, rows: 0, bytes: 0 };

  constructor(tell: RunPlace['onProgress']) {
    this.#tell = tell;
  }

  /** Of the run that is under way. */
  tell(soFar: FoundSoFar): void {
    this.#tell(this.#with(soFar));
  }

  /** A run that is over. */
  add(found: FoundSoFar): void {
    this.#before = this.#with(found);
  }

  #with({ pages, rows, bytes }: FoundSoFar): FoundSoFar {
    const before = this.#before;
    return { pages: before.pages + pages, rows: before.rows + rows, bytes: before.bytes + bytes };
  }
}

interface RunOfTables {
  readonly job: Job;
  readonly run: PreparedRun;
  readonly place: RunPlace;
  readonly folder: string;
}

async function tablesOf(
  { tables }: Extraction,
  { job, run, place, folder }: RunOfTables,
  waiting: Waiting,
): Promise<readonly TableLoad[]> {
  const { componentId, configurationId } = job.request;
  const loads: TableLoad[] = [];
  for (const [at, table] of tables.entries()) {
    const { configuration } = run;
    const destination = destinationOf({ table, configuration, componentId, configurationId });
    place.log.info(`Loading table "${destination.tableId}"`);
    const path = join(folder, `table-${at}.csv`);
    const content = await writeCsv({ path, table, tableId: destination.tableId, disk: place.disk }, waiting);
    const { columns, count } = table;
    loads.push({ ...destination, columns, rows: count === 0 ? [] : [content], expectedRows: count });
  }
  return loads;
}

function resultOf(
  { configurationVersion, runs, variables }: PreparedRuns,
  loads: readonly TableLoad[],
): LoadNote['result'] {
  return {
    message: runs.length === 0 ? 'No configurations executed.' : 'Component processing finished.',
    ...(configurationVersion === undefined ? {} : { configurationVersion }),
    tables: summed(loads),
    variables: variables.map(shortValue),
  };
}

/** A document holds the result, so that nothing in it may be of any length. */
function shortValue({ name, value }: JobValue): JobValue {
  return { name, value: value.slice(0, limits.defaultValueLength) };
}

/** One for each table, however many runs give rows to it. */
function summed(loads: readonly TableLoad[]): readonly JobTable[] {
  const tables = new Map<string, JobTable>();
  for (const { tableId, columns, rows, expectedRows } of loads) {
    const before = tables.get(tableId) ?? { tableId, columns: [], rows: 0, bytes: 0 };
    tables.set(tableId, {
      tableId,
      columns: [...before.columns, ...columns.filter((column) => !before.columns.includes(column))],
      rows: before.rows + expectedRows,
      bytes: before.bytes + rows.reduce((sum, { bytes }) => sum + bytes, 0),
    });
  }
  return [...tables.values()];
}
