import { readFile, writeFile } from 'node:fs/promises';
import { scriptOptions } from '../support/script-options.ts';
import { codecPath, codecText } from './codec-text.ts';

const help = `npm run codec -- [--check]

Writes the codec of OTLP, which is made of the official definitions.

  --check  writes nothing, and ends with 1 when it is stale`;

const { check } = scriptOptions(help, { check: { type: 'boolean', default: false } });
const wanted = await codecText();
const found = await readFile(codecPath, 'utf8').catch(() => '');
if (check) {
  if (found !== wanted) {
    console.error(`${codecPath} is stale: run "npm run codec" and look at what changed.`);
    process.exitCode = 1;
  }
} else {
  await writeFile(codecPath, wanted);
  console.log(`${codecPath}: ${found === wanted ? 'as it was' : 'written'}`);
}
