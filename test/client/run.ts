import { readFile, writeFile } from 'node:fs/promises';
import { scriptOptions } from '../support/script-options.ts';
import { apiTypesPath, apiTypesText } from './api-types-text.ts';

const help = `npm run client -- [--check]

Writes the types of the API's client, which are made of the routes.

  --check  writes nothing, and ends with 1 when they are stale`;

const { check } = scriptOptions(help, { check: { type: 'boolean', default: false } });
const wanted = await apiTypesText();
const found = await readFile(apiTypesPath, 'utf8').catch(() => '');
if (check) {
  if (found !== wanted) {
    console.error(`${apiTypesPath} is stale: run "npm run client" and look at what changed.`);
    process.exitCode = 1;
  }
} else {
  await writeFile(apiTypesPath, wanted);
  console.log(`${apiTypesPath}: ${found === wanted ? 'as it was' : 'written'}`);
}
