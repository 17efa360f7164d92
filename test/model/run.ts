import { search } from '../support/model/history.ts';
import { mixes } from '../support/model/mixes.ts';
import { productRules } from '../support/model/rules.ts';

/**
 * Long runs of the protocol's random histories: `node test/model/run.ts seed=1 count=200000 mix=trim`. Prints what the
 * histories covered, or the shrunk history that breaks a rule, and then ends with 1.
 */
const given = new Map(process.argv.slice(2).map((argument) => argument.split('=') as [string, string | undefined]));
const seed = Number(given.get('seed') ?? 1);
const count = Number(given.get('count') ?? 20_000);
const only = mixes.find((mix) => mix === given.get('mix'));

const started = performance.now();
const { done, found, seen } = search({ rules: productRules, seed, count, ...(only === undefined ? {} : { only }) });
const lines = [
  `${done} histories of seed ${seed} in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  ...(found === undefined ? ['no violation'] : [...found.log, `history ${found.index}: ${found.violation}`]),
  ...[...seen].map(([what, times]) => `${String(times).padStart(9)} ${what}`),
];
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = found === undefined ? 0 : 1;
