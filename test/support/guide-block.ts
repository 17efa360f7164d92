import { readFile } from 'node:fs/promises';

/** What stands in the block of a guide that has this language and begins so: what a reader is told to copy, tests use. */
export async function guideBlock(guide: string, language: string, begin: string): Promise<string> {
  const page = await readFile(new URL(`../../docs/guides/${guide}`, import.meta.url), 'utf8');
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  const found = [...blocks].find(([, text = '']) => text.startsWith(begin))?.[1];
  if (found === undefined) throw new Error(`${guide} has no block of ${language} that begins with ${begin}`);
  return found;
}
