import type { Clock } from '../../core/clock.ts';
import { workforceOf, type RunsJobs, type SeenWorkers, type Workforce } from '../../core/workforce.ts';
import { readWorkers } from '../../documents/read-workers.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

interface WorkforcePlace {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly runsJobs: RunsJobs;
  readonly workers: SeenWorkers;
}

/** Whether somebody runs the jobs of the installation. */
export async function readWorkforce(
  { catalog, clock, runsJobs, workers }: WorkforcePlace,
  options: Waiting,
): Promise<Workforce> {
  switch (runsJobs) {
    case 'here':
      return 'present';
    case 'nowhere':
      return 'none';
    case 'others':
      return workforceOf(
        workers.look(await readWorkers(catalog, options), { now: clock.now(), monotonic: clock.monotonic() }),
      );
    default:
      return runsJobs satisfies never;
  }
}
