import type { Budget } from './budget.ts';
import { fillPlaceholders, type FilledPlaceholder } from './children/placeholders.ts';
import type { Job } from './configuration/parse-job.ts';
import type { ExtractionProgress } from './extraction.ts';
import { evaluate, evaluateFields } from './functions/evaluate.ts';
import { askedBy, nothing, type Above, type JobAsked } from './job-asked.ts';
import { pagesOf } from './pages.ts';
import type { ExtractedTables } from './tables/extracted-tables.ts';
import type { AddedValue } from './tables/row-writer.ts';
import type { JsonObject, JsonValue } from './values/json-value.ts';

export interface JobRunsOptions extends JobAsked {
  readonly tables: ExtractedTables;
  readonly budget: Budget;
  readonly onProgress: (progress: ExtractionProgress, items: readonly JsonValue[]) => void;
}

/** Runs the jobs of one iteration, each page with the children of its items before the next one. */
export class JobRuns {
  readonly #options: JobRunsOptions;

  constructor(options: JobRunsOptions) {
    this.#options = options;
  }

  async runAll(): Promise<void> {
    const { jobs, userData } = this.#options.iteration;
    for (const job of jobs) await this.#run(job, { ...nothing, userData });
  }

  async #run(job: Job, above: Above): Promise<void> {
    const { iteration, tables, budget, now, onProgress } = this.#options;
    const { log, references } = iteration;
    const userData = evaluateFields({ ...above.userData, ...job.userData }, { references, now: now() });
    const added = addedValues(userData, [...above.filled.values()]);
    for await (const { items } of pagesOf(askedBy(job, above, this.#options))) {
      budget.takePage(items.length);
      if (items.length === 0) log.debug(`No data returned in '${job.dataType}'`);
      await tables.add(job.dataType, items, added);
      onProgress(budget.used, items);
      for (const child of job.children) await this.#runChild(child, items, above);
    }
  }

  async #runChild(child: Job, items: readonly JsonValue[], parent: Above): Promise<void> {
    const { log } = this.#options.iteration;
    const hasNone = Object.keys(child.placeholders).length === 0;
    const chosen = items.filter((item) => child.chooses?.(item) !== false);
    if (hasNone && chosen.length > 0) log.warning(`No 'placeholders' set for '${child.request.endpoint}'`);
    for (const item of chosen) {
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
