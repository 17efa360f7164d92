import { globSync, readFileSync } from 'node:fs';

const source = new URL('../../src/', import.meta.url);

/** Of these texts those that no file of the product has between quotes, but for the files that list them all. */
export function unnamedInSource(texts: readonly string[], catalogues: readonly string[]): readonly string[] {
  const files = globSync('**/*.ts', { cwd: source }).filter(
    (file) => !file.endsWith('.test.ts') && !catalogues.includes(file),
  );
  const all = files.map((file) => readFileSync(new URL(file, source), 'utf8')).join('\n');
  return texts.filter((text) => !all.includes(`'${text}'`));
}
