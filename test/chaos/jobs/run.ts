/**
 * The long crash test of jobs: `npm run chaos:jobs -- --items 1000000 --kills 20`, with `--cluster` in a cluster. A failing seed is
 * likely to fail again.
 */
import { scriptOptions } from '../../support/script-options.ts';
import { whyNoChaosServers } from '../cluster/servers.ts';
import { endsInVerdict } from '../verdict.ts';
import { clusterJobsRun } from './cluster-jobs-run.ts';
import { jobsRun, megabytes } from './jobs-run.ts';

const help = `npm run chaos:jobs -- [--cluster] [--items 1000000] [--limit 1000] [--kills 20] [--workers 2] [--lanes 2] [--seed N]

Runs jobs that page through so many items into a table, kills the product while they run, and counts. Ends with a verdict.
  --items    of the API that the jobs ask
  --limit    items of a page
  --kills    how often something is killed, at random moments of a job
  --seed     of the moments
  --cluster  on Kafka, S3 and PostgreSQL: workers, the catalog and the table store are killed
  --workers  processes with the role work, of a cluster
  --lanes    jobs under way at a time, of a cluster`;

const values = scriptOptions(help, {
  items: { type: 'string', default: '1000000' },
  limit: { type: 'string', default: '1000' },
  kills: { type: 'string', default: '20' },
  seed: { type: 'string' },
  cluster: { type: 'boolean', default: false },
  workers: { type: 'string', default: '2' },
  lanes: { type: 'string', default: '2' },
});

const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const [items, limit, kills] = [Number(values.items), Number(values.limit), Number(values.kills)];
const began = performance.now();
const say = (line: string): void => console.log(`  ${((performance.now() - began) / 1000).toFixed(1)} s: ${line}`);
const again = `npm run chaos:jobs -- --items ${items} --limit ${limit} --kills ${kills} --seed ${seed}`;

async function ofCluster(): Promise<void> {
  const missing = await whyNoChaosServers();
  if (missing !== undefined) throw new Error(missing);
  console.log(
    await clusterJobsRun({
      seed,
      items,
      limit,
      kills,
      workers: Number(values.workers),
      lanes: Number(values.lanes),
      say,
    }),
  );
}

async function ofOneProcess(): Promise<void> {
  const report = await jobsRun({ seed, items, limit, kills, say });
  const [idle, most] = [megabytes(report.idleBytes), megabytes(report.mostBytes)];
  console.log(
    `\n${report.kills} kills: ${report.succeeded} jobs succeeded, ${report.givenUp} were given up after their third.`,
  );
  console.log(
    `The process had ${idle} MB before the first job and ${most} MB at most while it ran: ${most - idle} MB more.`,
  );
}

if (values.cluster)
  await endsInVerdict(`${again} --cluster --workers ${values.workers} --lanes ${values.lanes}`, ofCluster);
else await endsInVerdict(again, ofOneProcess);
