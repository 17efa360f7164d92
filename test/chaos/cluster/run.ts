/** The long crash test of a cluster: `npm run chaos:cluster -- --kills 100 --seed 7`. A failing seed can be run again. */
import { scriptOptions } from '../../support/script-options.ts';
import { endsInVerdict } from '../verdict.ts';
import { clusterRun } from './cluster-run.ts';
import { whyNoChaosServers } from './servers.ts';

const help = `npm run chaos:cluster -- [--kills 100] [--seed N] [--spread "ingest map stage import admin work"]

Kills processes and servers of a cluster while events flow, sinks change and jobs run, and counts. Ends with a verdict.
  --kills   how often something is killed
  --seed    what decides when and what: a failing one can be run again
  --spread  roles of each pair of processes, with blanks between the pairs`;

const values = scriptOptions(help, {
  kills: { type: 'string', default: '100' },
  seed: { type: 'string' },
  spread: { type: 'string', default: 'ingest map stage import admin work' },
});
const missing = await whyNoChaosServers();
if (missing !== undefined) throw new Error(missing);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
console.log(`seed ${seed}`);
const began = performance.now();
await endsInVerdict(
  `npm run chaos:cluster -- --seed ${seed} --kills ${values.kills} --spread "${values.spread}"`,
  async () => {
    const report = await clusterRun({
      seed,
      kills: Number(values.kills),
      spread: values.spread.split(' '),
      say: (line) => console.log(`${((performance.now() - began) / 1000).toFixed(1)} s: ${line}`),
    });
    console.log(report);
  },
);
