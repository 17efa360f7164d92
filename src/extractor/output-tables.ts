import type { Waiting } from '../ports/waiting.ts';
import type { ExtractorConfiguration } from './configuration/parse-configuration.ts';
import type { OutputTable } from './extraction.ts';
import { ExtractedTables, type ExtractedTable } from './tables/extracted-tables.ts';
import { manifestOf, outputFileName, type OutputOf } from './tables/output-files.ts';
import type { Spool } from './tables/spool.ts';

interface Bucket {
  readonly tables: ExtractedTables;
  /** Of the last iteration that writes to it. */
  output: OutputOf;
}

/** The tables of a run, by the buckets that its iterations write to. */
export class OutputTables {
  readonly #buckets = new Map<string, Bucket>();

  /** Throws an `ExtractorError` when the mappings of an iteration are wrong. */
  constructor({ iterations }: ExtractorConfiguration, spool: Spool, { signal }: Waiting) {
    for (const { output, mappings, log } of iterations) {
      const key = outputFileName(output, '');
      const known = this.#buckets.get(key);
      if (known !== undefined) known.output = output;
      else {
        const own = within(spool, `${this.#buckets.size}.`, signal);
        const warn = (text: string): void => log.warning(text);
        const tables = new ExtractedTables({ spool: own, warn, ...(mappings === undefined ? {} : { mappings }) });
        this.#buckets.set(key, { tables, output });
      }
    }
  }

  of(output: OutputOf): ExtractedTables {
    const bucket = this.#buckets.get(outputFileName(output, ''));
    if (bucket === undefined) throw new Error('an iteration that the run does not have');
    return bucket.tables;
  }

  /** Call it once, after all jobs. */
  async whole(): Promise<readonly OutputTable[]> {
    const whole: OutputTable[] = [];
    for (const { tables, output } of this.#buckets.values())
      for await (const table of tables.tables()) whole.push(outputTable(table, output));
    return whole;
  }
}

/** An abort ends what is written, also behind the last answer. */
function within(spool: Spool, prefix: string, signal: AbortSignal): Spool {
  return {
    append: (name, piece) => {
      signal.throwIfAborted();
      return spool.append(prefix + name, piece);
    },
    read: (name) => spool.read(prefix + name),
  };
}

function outputTable(
  { name, columns, primaryKey = [], count, longestRow, csv }: ExtractedTable,
  output: OutputOf,
): OutputTable {
  return {
    fileName: outputFileName(output, name),
    manifest: manifestOf(output, { name, primaryKey }),
    name,
    columns,
    primaryKey,
    count,
    longestRow,
    csv,
  };
}
