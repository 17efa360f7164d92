import { search } from '../support/model/history.ts';
import { mixes } from '../support/model/mixes.ts';
import { productRules } from '../support/model/rules.ts';

/**
 * Long runs of the protocol's random histories: `node test/model/run.ts seed=1 count=200000 mix=trim`. Prints what the
 * histories covered, or the shrunk history that breaks a rule, and then ends with 1.
 */
const given = new Map([
  ['seed', '1'],
  ['count', '20000'],
  ['mix', ''],
]);
for (const argument of process.argv.slice(2)) {
  const [name = '', value = ''] = argument.split('=');
  const isKnown = name === 'mix' ? mixes.some((mix) => mix === value) : given.has(name) && /^[1-9][0-9]*$/.test(value);
  if (!isKnown) throw new Error(`"${argument}" is none of seed=<number>, count=<number>, mix=<${mixes.join('|')}>`);
  given.set(name, value);
}
const seed = Number(given.get('seed'));
const count = Number(given.get('count'));
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
