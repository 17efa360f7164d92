import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Extraction, OutputTable } from '../../extractor/extraction.ts';
import { ExtractorError } from '../../extractor/values/extractor-error.ts';
import { exactText } from '../../extractor/tables/exact-text.ts';
import { csvLine } from '../../extractor/tables/output-files.ts';

/** Where the state of a run goes: beside the folder of its tables, in which no other file may be. */
export function stateFileOf(out: string): string {
  return `${resolve(out)}.state.json`;
}

/**
 * Writes a file and a manifest for each table, and the state beside the folder. All of it is written elsewhere first: a failure leaves
 * nothing new. Files of the same names are replaced, others stay.
 */
export async function writeOutput({ tables, state }: Extraction, out: string): Promise<void> {
  const folder = resolve(out);
  checkNames(tables);
  await mkdir(dirname(folder), { recursive: true });
  const made = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    const whole = join(made, 'tables');
    await mkdir(whole);
    for (const table of tables) {
      await writeFile(join(whole, table.fileName), withHeader(table));
      await writeFile(join(whole, manifestName(table)), JSON.stringify(table.manifest));
    }
    await writeFile(join(made, 'state'), exactText(state));
    if (await isThere(folder))
      for (const name of await readdir(whole)) await rename(join(whole, name), join(folder, name));
    else await rename(whole, folder);
    await rename(join(made, 'state'), stateFileOf(folder));
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

async function* withHeader({ columns, csv }: OutputTable): AsyncIterable<Uint8Array> {
  yield Buffer.from(csvLine(columns));
  yield* csv();
}

function manifestName({ fileName }: OutputTable): string {
  return `${fileName}.manifest`;
}

/** Buckets are named by the configuration: no name leads out of the folder, and none is another's. */
function checkNames(tables: readonly OutputTable[]): void {
  const names = tables.flatMap((table) => [table.fileName, manifestName(table)]);
  const wrong = names.find((name) => /[/\\\0]/.test(name) || Buffer.byteLength(name) > 255);
  if (wrong !== undefined)
    throw new ExtractorError(`The table '${wrong}' cannot be a file: choose another 'outputBucket'.`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new ExtractorError(`Two tables would be the file '${twice}': choose another 'outputBucket'.`);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
