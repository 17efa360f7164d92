import { setImmediate as turn } from 'node:timers/promises';
import type { Budget } from './budget.ts';
import { fillPlaceholders, type FilledPlaceholder } from './children/placeholders.ts';
import type { Job } from './configuration/parse-job.ts';
import type { ExtractionProgress } from './extraction.ts';
import { evaluate, evaluateFields } from './functions/evaluate.ts';
import { askedBy, itemsReader, nothing, type Above, type JobAsked } from './job-asked.ts';
import { Pages, type AnsweredPage } from './pages.ts';
import type { ExtractedTables } from './tables/extracted-tables.ts';
import type { AddedValue } from './tables/row-writer.ts';
import type { ItemSource } from './tables/spooled-pages.ts';
import type { JsonObject, JsonValue } from './values/json-value.ts';

export interface JobRunsOptions extends JobAsked {
  readonly tables: ExtractedTables;
  readonly budget: Budget;
  readonly onProgress: (progress: ExtractionProgress, items: readonly JsonValue[]) => void;
}

/** Bytes of a page: while the rows of a longer one are written, memory holds no other. */
const mostAhead = 1024 * 1024;

/** One run of a job. */
interface OpenJob {
  readonly job: Job;
  readonly above: Above;
  readonly added: readonly AddedValue[];
  readonly itemsOf: ItemSource['itemsOf'];
  readonly pages: Pages;
}

/** A page that is asked for already. */
interface Ahead {
  readonly asked: Promise<AnsweredPage | undefined>;
}

/** Runs the jobs of one iteration, each page with the children of its items before the next one. */
export class JobRuns {
  readonly #options: JobRunsOptions;
  readonly #readers = new Map<Job, ItemSource['itemsOf']>();

  constructor(options: JobRunsOptions) {
    this.#options = options;
  }

  async runAll(): Promise<void> {
    const { jobs, userData } = this.#options.iteration;
    for (const job of jobs) await this.#run(job, { ...nothing, userData });
  }

  async #run(job: Job, above: Above): Promise<void> {
    const { iteration, now } = this.#options;
    const { references } = iteration;
    const userData = evaluateFields({ ...above.userData, ...job.userData }, { references, now: now() });
    const added = addedValues(userData, [...above.filled.values()]);
    const itemsOf = this.#readers.get(job) ?? itemsReader(job);
    this.#readers.set(job, itemsOf);
    const pages = new Pages(askedBy(job, above, this.#options));
    let ahead: Ahead | undefined = { asked: pages.next() };
    // A page is held by nothing here while the next one comes.
    while (ahead !== undefined) ahead = await this.#takePage(ahead.asked, { job, above, added, itemsOf, pages });
  }

  /** Stores one page, with the children of its items, and asks for the next one. Undefined: there was none. */
  async #takePage(
    asked: Promise<AnsweredPage | undefined>,
    { job, above, added, itemsOf, pages }: OpenJob,
  ): Promise<Ahead | undefined> {
    const { tables, budget, onProgress, iteration } = this.#options;
    const page = await asked;
    if (page === undefined) return undefined;
    const { items, body, depth } = page;
    budget.takePage(items.length);
    if (items.length === 0) iteration.log.debug(`No data returned in '${job.dataType}'`);
    const taken = tables.take({ dataType: job.dataType, items, added, source: { body, depth, itemsOf } });
    onProgress(budget.used, items);
    if (job.children.length === 0 && body.length <= mostAhead) {
      const ahead = { asked: pages.next() };
      // It is waited for behind the rows, also where it fails at once.
      ahead.asked.catch(() => undefined);
      // The API answers while rows are written: the request has left by then.
      await turn();
      await taken.write(turn);
      return ahead;
    }
    await taken.write();
    for (const child of job.children) await this.#runChild(child, items, above);
    return { asked: pages.next() };
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
