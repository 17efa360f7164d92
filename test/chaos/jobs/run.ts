/**
 * The long crash test of jobs: `npm run chaos:jobs -- --items 1000000 --kills 20`. A failing seed is likely to fail again.
 */
import { scriptOptions } from '../../support/script-options.ts';
import { endsInVerdict } from '../verdict.ts';
import { jobsRun, megabytes } from './jobs-run.ts';

const help = `npm run chaos:jobs -- [--items 1000000] [--limit 1000] [--kills 20] [--seed N]

Runs jobs that page through so many items into one table, kills the product while they run, and counts. Ends with a verdict.
  --items  of the API that the jobs ask
  --limit  items of a page
  --kills  how often the product is killed, at random moments of a job
  --seed   of the moments`;

const values = scriptOptions(help, {
  items: { type: 'string', default: '1000000' },
  limit: { type: 'string', default: '1000' },
  kills: { type: 'string', default: '20' },
  seed: { type: 'string' },
});

const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const [items, limit, kills] = [Number(values.items), Number(values.limit), Number(values.kills)];
await endsInVerdict(
  `npm run chaos:jobs -- --items ${items} --limit ${limit} --kills ${kills} --seed ${seed}`,
  async () => {
    const report = await jobsRun({ seed, items, limit, kills, say: (line) => console.log(`  ${line}`) });
    const [idle, most] = [megabytes(report.idleBytes), megabytes(report.mostBytes)];
    console.log(
      `\n${report.kills} kills: ${report.succeeded} jobs succeeded, ${report.givenUp} were given up after their third.`,
    );
    console.log(
      `The process had ${idle} MB before the first job and ${most} MB at most while it ran: ${most - idle} MB more.`,
    );
  },
);
