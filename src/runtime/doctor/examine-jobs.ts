import type { ClusterTopology } from '../../config/topology/topology.ts';
import type { Finding } from '../../core/finding.ts';
import { saidAgo, workforceOf } from '../../core/workforce.ts';
import { eachJob } from '../../documents/each-job.ts';
import { readWorkers } from '../../documents/read-workers.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Examined } from '../product.ts';
import type { Examination } from '../stores/store-row.ts';
import { storesOf } from '../stores/stores.ts';

/** Whether somebody runs the jobs of the installation; undefined where its catalog is not made yet, or cannot be read. */
export async function examineJobs(
  topology: ClusterTopology,
  { now, ...opening }: Examination,
): Promise<Examined | undefined> {
  try {
    await using catalog = await storesOf(topology).catalog.open({ ...opening, mustExist: true });
    return { server: 'jobs', findings: [await findingOf(catalog, { now, signal: opening.signal })] };
  } catch {
    return undefined;
  }
}

async function findingOf(catalog: Catalog, { now, ...waiting }: Waiting & { readonly now: number }): Promise<Finding> {
  const said = await readWorkers(catalog, waiting);
  const count = await countWaiting(catalog, waiting);
  const waits = count === 1 ? '1 job waits' : `${count} jobs wait`;
  const workforce = workforceOf(said.map((one) => saidAgo(one, now)));
  if (workforce === 'present') {
    const present = said.filter((one) => workforceOf([saidAgo(one, now)]) === 'present').map(({ process }) => process);
    const who = `${present.join(', ')} ${present.length === 1 ? 'runs' : 'run'} jobs`;
    return { kind: 'good', about: 'work', text: count === 0 ? `${who}.` : `${who}; ${waits} for their turn.` };
  }
  const start = 'start one with the role work';
  if (count > 0) return { kind: 'bad', about: 'work', text: `${waits}, and no process runs jobs: ${start}.` };
  const text =
    workforce === 'missed'
      ? `No process runs jobs at present, and jobs are taken for an hour after the last one was there: ${start}.`
      : `No process runs jobs, nor did one within the last hour, and jobs are refused: ${start} if there are to be any.`;
  return { kind: 'advice', about: 'work', text };
}

async function countWaiting(catalog: Catalog, waiting: Waiting): Promise<number> {
  let count = 0;
  for await (const { phase } of eachJob(catalog, {}, waiting))
    if (phase === 'created' || phase === 'waiting') count += 1;
  return count;
}
