/** The long crash test: `npm run chaos -- --kills 25 --seed 7`. A failing seed can be run again. */
import { parseArgs } from 'node:util';
import { crashRun } from './crash-run.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '25' },
    seed: { type: 'string' },
    connections: { type: 'string', default: '16' },
  },
});
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
console.log(`seed ${seed}`);
const report = await crashRun({
  seed,
  kills: Number(values.kills),
  connections: Number(values.connections),
  say: (line) => console.log(line),
});
console.log(report);
