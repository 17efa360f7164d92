import { readFile, writeFile } from 'node:fs/promises';
import { apiTypesPath, apiTypesText } from './api-types-text.ts';

// `npm run client` writes the types of the API's client; with --check it only says whether they are stale.
const wanted = await apiTypesText();
const found = await readFile(apiTypesPath, 'utf8').catch(() => '');
if (process.argv.includes('--check')) {
  if (found !== wanted) {
    console.error(`${apiTypesPath} is stale: run "npm run client" and look at what changed.`);
    process.exitCode = 1;
  }
} else {
  await writeFile(apiTypesPath, wanted);
  console.log(`${apiTypesPath}: ${found === wanted ? 'as it was' : 'written'}`);
}
