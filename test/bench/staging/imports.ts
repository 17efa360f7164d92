import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { limits } from '../../../src/core/limits.ts';
import type { SinkProgress } from '../../../src/core/progress/sink-progress.ts';
import { RetryPacing } from '../../../src/core/retry-pacing.ts';
import { RunningTime } from '../../../src/core/running-time.ts';
import { Trigger } from '../../../src/core/trigger.ts';
import { progressId } from '../../../src/documents/document-id.ts';
import { progressDocuments } from '../../../src/documents/progress-document.ts';
import type { TableStore } from '../../../src/ports/table-store.ts';
import type { Ports } from '../../../src/runtime/composition/ports.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { unique } from '../../../src/runtime/unique.ts';
import { ImportHistory } from '../../../src/stages/import/import-history.ts';
import { SinkImporter } from '../../../src/stages/import/sink-importer.ts';
import { StatusBoard } from '../../../src/stages/status/status-board.ts';
import { ownEverything } from '../../support/own-everything.ts';
import { remapHere } from '../../support/remap-here.ts';
import { columnNames, incarnation, never } from './outcomes.ts';
import { silentImports } from '../../support/silent-imports.ts';

/** An importer of the sink, which imports whatever is staged. */
export function importerOf(ports: Ports, tables: TableStore): SinkImporter {
  return new SinkImporter(
    {
      ...ports,
      tables,
      ledger: tables,
      letters: tables,
      remapper: remapHere,
      ownership: ownEverything,
      clock: systemClock,
      rights: { check: () => Promise.resolve() },
      status: new StatusBoard({
        catalog: ports.catalog,
        clock: systemClock,
        role: 'import',
        member: 'bench',
        observer: { sinkFailed: () => undefined, sinkHealed: () => undefined },
      }),
      observer: silentImports,
      history: new ImportHistory(ports.catalog),
      running: new RunningTime(limits.importerStepMs),
      unique,
      trigger: () => new Trigger({ count: 50_000, sizeBytes: 50 * 1024 ** 2, intervalMs: 0, slices: 100 }),
      retry: new RetryPacing({ firstMs: 100, capMs: 1000 }, Math.random),
    },
    incarnation,
  );
}

/** Until the document names no slice any more. */
export async function importAll(ports: Ports, importer: SinkImporter): Promise<void> {
  for (
    let progress = await readProgress(ports);
    progress.staged.length > 0 || progress.importing !== undefined;
    progress = await readProgress(ports)
  ) {
    await importer.work({ signal: never });
  }
}

async function readProgress({ catalog }: Ports): Promise<SinkProgress> {
  const found = await catalog.get('progress', progressId(incarnation), { signal: never });
  return progressDocuments.parse(found?.value);
}

/** The files of the slices that wait for their import. */
export async function stagedFiles(ports: Ports): Promise<readonly string[]> {
  const { staged } = await readProgress(ports);
  const paths = staged.map(({ rowsObject }) => ports.objects.localPath(rowsObject?.name ?? '', { signal: never }));
  return (await Promise.all(paths)).filter((path) => path !== undefined);
}

/** DuckDB alone, told what the files are, so that it guesses nothing. */
export class PlainTable implements Disposable {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(path: string, memory: number): Promise<PlainTable> {
    const instance = await DuckDBInstance.create(path, { threads: '1', memory_limit: `${memory}B` });
    const connection = await instance.connect();
    await connection.run(`CREATE TABLE events (${columnNames.map((name) => `${name} VARCHAR`).join(', ')})`);
    return new PlainTable(instance, connection);
  }

  async load(files: readonly string[]): Promise<void> {
    const list = files.map((file) => `'${file}'`).join(', ');
    const columns = columnNames.map((name) => `${name}: 'VARCHAR'`).join(', ');
    const dialect = `auto_detect = false, header = false, delim = ',', quote = '"', escape = '"'`;
    await this.#connection.run(
      `INSERT INTO events SELECT * FROM read_csv([${list}], columns = {${columns}}, ${dialect})`,
    );
  }

  [Symbol.dispose](): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}
