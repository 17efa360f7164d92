import type { Clock } from '../../core/clock.ts';
import { workforceOf, type RunsJobs, type Workforce } from '../../core/workforce.ts';
import { readWorkers } from '../../documents/read-workers.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

interface WorkforcePlace {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly runsJobs: RunsJobs;
}

/** Whether somebody runs the jobs of the installation. */
export async function readWorkforce(
  { catalog, clock, runsJobs }: WorkforcePlace,
  options: Waiting,
): Promise<Workforce> {
  switch (runsJobs) {
    case 'here':
      return 'present';
    case 'nowhere':
      return 'none';
    case 'others':
      return workforceOf(await readWorkers(catalog, options), clock.now());
    default:
      return runsJobs satisfies never;
  }
}
