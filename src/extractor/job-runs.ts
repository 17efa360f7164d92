import type { ApiClient } from './api-client.ts';
import type { Budget } from './budget.ts';
import { fillPlaceholders, withPlaceholders, type FilledPlaceholder } from './children/placeholders.ts';
import type { Iteration } from './configuration/parse-iteration.ts';
import type { Job } from './configuration/parse-job.ts';
import type { ExtractionProgress } from './extraction.ts';
import { evaluate, evaluateFields } from './functions/evaluate.ts';
import { findItems } from './items/items.ts';
import { filtered } from './items/response-filter.ts';
import { pagesOf } from './pages.ts';
import type { ExtractedTables } from './tables/extracted-tables.ts';
import type { AddedValue } from './tables/row-writer.ts';
import type { JsonObject, JsonValue } from './values/json-value.ts';

export interface JobRunsOptions {
  readonly iteration: Iteration;
  readonly client: ApiClient;
  readonly tables: ExtractedTables;
  readonly budget: Budget;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress: (progress: ExtractionProgress) => void;
}

/** Where a job stands: nothing is above a job of the configuration. */
interface Above {
  /** The item that it runs for, then that of its parent, and so on. */
  readonly items: readonly JsonValue[];
  /** Its own placeholders and those of all levels above, by their names. */
  readonly filled: ReadonlyMap<string, FilledPlaceholder>;
  readonly userData: JsonObject;
}

/** Runs the jobs of one iteration, each page with the children of its items before the next one. */
export class JobRuns {
  readonly #options: JobRunsOptions;

  constructor(options: JobRunsOptions) {
    this.#options = options;
  }

  async runAll(): Promise<void> {
    const { jobs, userData } = this.#options.iteration;
    for (const job of jobs) await this.#run(job, { items: [], filled: new Map(), userData });
  }

  async #run(job: Job, above: Above): Promise<void> {
    const { iteration, client, tables, budget, now, onProgress } = this.#options;
    const { log, references } = iteration;
    const { dataField, filter } = job;
    const filled = [...above.filled.values()];
    const endpoint = withPlaceholders(job.request.endpoint, filled);
    const params = evaluateFields(job.request.params, { references, now: now() });
    const userData = evaluateFields({ ...above.userData, ...job.userData }, { references, now: now() });
    const added = addedValues(userData, filled);
    const pages = pagesOf({
      jobId: job.id,
      job: { ...job.request, endpoint, params },
      pagination: job.pagination,
      log,
      ask: (request) => client.ask(request),
      itemsOf: (response) => {
        const items = findItems(response, { endpoint, dataField }, log);
        return filter === undefined ? items : items.map((item) => filtered(item, filter));
      },
    });
    for await (const { items } of pages) {
      budget.takePage(items.length);
      if (items.length === 0) log.debug(`No data returned in '${job.dataType}'`);
      await tables.add(job.dataType, items, added);
      onProgress(budget.used);
      for (const child of job.children) await this.#runChild(child, items, above);
    }
  }

  async #runChild(child: Job, items: readonly JsonValue[], parent: Above): Promise<void> {
    const { log } = this.#options.iteration;
    const hasNone = Object.keys(child.placeholders).length === 0;
    for (const item of items) {
      if (child.chooses?.(item) === false) continue;
      if (hasNone) log.warning(`No 'placeholders' set for '${child.request.endpoint}'`);
      // A child without any placeholder, also without those of the levels above, would ask the same for each item.
      if (hasNone && parent.filled.size === 0) continue;
      const above = [item, ...parent.items];
      for (const run of fillPlaceholders(child.placeholders, above, (definition, value) =>
        this.#apply(definition, value),
      )) {
        const filled = new Map(parent.filled);
        for (const one of run) filled.set(one.name, one);
        await this.#run(child, { items: above, filled, userData: {} });
      }
    }
  }

  #apply({ path: _path, ...definition }: JsonObject, value: JsonValue): JsonValue {
    if (Object.keys(definition).length === 0) return value;
    const references = { placeholder: { value } };
    return evaluate(definition, { references, now: this.#options.now(), isPlaceholder: true });
  }
}

/** Columns that each row gets besides; of placeholders with one path the last one counts. */
function addedValues(userData: JsonObject, filled: readonly FilledPlaceholder[]): readonly AddedValue[] {
  const values = new Map(Object.entries(userData));
  for (const { path, value } of filled) values.set(path.startsWith('parent_') ? path : `parent_${path}`, value);
  return [...values].map(([name, value]) => ({ name, value }));
}
