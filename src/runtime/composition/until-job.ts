import type { Clock } from '../../core/clock.ts';
import type { Catalog, Versioned } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

const pageSize = 100;
const lookMs = 200;

/**
 * Resolves when there is a job to run: one that has not ended, or any that appears later. A later one has a higher number, so that a look
 * costs next to nothing, however many have ended. So it does when there is a schedule, which asks for jobs.
 */
export async function untilJob(catalog: Catalog, clock: Clock, waiting: Waiting): Promise<void> {
  let last = await beforeOpen(catalog, waiting);
  while (last !== undefined) {
    if ((await catalog.list({ collection: 'schedule', prefix: '', limit: 1 }, waiting)).length > 0) return;
    await clock.sleep(lookMs, waiting);
    if ((await pageAfter(catalog, last, { limit: 1, ...waiting })).length > 0) last = undefined;
  }
}

/** The id of the last job when all have ended, empty when there is none; undefined when there is one that has not. */
async function beforeOpen(catalog: Catalog, waiting: Waiting): Promise<string | undefined> {
  let last = '';
  for (;;) {
    const page = await pageAfter(catalog, last, { limit: pageSize, ...waiting });
    if (page.some(({ value }) => !hasEnded(value))) return undefined;
    last = page.at(-1)?.id ?? last;
    if (page.length < pageSize) return last;
  }
}

function pageAfter(
  catalog: Catalog,
  after: string,
  { limit, ...waiting }: Waiting & { readonly limit: number },
): Promise<readonly Versioned[]> {
  return catalog.list({ collection: 'job', prefix: '', limit, ...(after === '' ? {} : { after }) }, waiting);
}

function hasEnded(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'phase' in value && value.phase === 'ended';
}
