/** The long crash test of a cluster: `npm run chaos:cluster -- --kills 100 --seed 7`. A failing seed can be run again. */
import { parseArgs } from 'node:util';
import { clusterRun } from './cluster-run.ts';
import { whyNoChaosServers } from './servers.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string' },
    /** Roles of each pair of processes, with blanks between the pairs. */
    spread: { type: 'string', default: 'ingest map stage import admin' },
  },
});
const missing = await whyNoChaosServers();
if (missing !== undefined) throw new Error(missing);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
console.log(`seed ${seed}`);
const began = performance.now();
const report = await clusterRun({
  seed,
  kills: Number(values.kills),
  spread: values.spread.split(' '),
  say: (line) => console.log(`${((performance.now() - began) / 1000).toFixed(1)} s: ${line}`),
});
console.log(report);
