/** Prints the tables of `docs/scale.md`; `--write` puts them there. */
import { readFile, writeFile } from 'node:fs/promises';
import { scriptOptions } from '../../support/script-options.ts';
import { costs, target } from './costs.ts';
import { begin, end, scaleTables } from './page.ts';

const { write } = scriptOptions('node test/bench/scale/run.ts [--write]', {
  write: { type: 'boolean', default: false },
});
const tables = scaleTables(target, costs);
console.log(tables);
if (write) {
  const page = new URL('../../../docs/scale.md', import.meta.url);
  const text = await readFile(page, 'utf8');
  const [first, last] = [text.indexOf(begin), text.indexOf(end)];
  if (first < 0 || last < first) throw new Error(`the page has no place "${begin}"`);
  await writeFile(page, `${text.slice(0, first + begin.length)}\n\n${tables}\n${text.slice(last)}`);
}
