import { existsSync, readFileSync } from 'node:fs';
import { ListFault, mutatedText } from './mutated-text.ts';
import type { Mutation } from './mutation.ts';

/** What is wrong with a mutation as far as reading files tells; undefined when it can be tried. */
export function listFault(root: URL, mutation: Mutation): string | undefined {
  const { file, test } = mutation;
  for (const named of [file, test.file]) if (!existsSync(new URL(named, root))) return `there is no ${named}`;
  if (!hasTitle(titlesOf(new URL(test.file, root)), test.title)) return `${test.file} has no title "${test.title}"`;
  try {
    mutatedText(readFileSync(new URL(file, root), 'utf8'), mutation);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof ListFault) return thrown.message;
    throw thrown;
  }
}

/** A title that is made of a table's values stands nowhere as a whole: its words do. Whether there is such a test the run tells. */
function hasTitle(text: string, title: string): boolean {
  if (text.includes(title)) return true;
  return text.includes('.each(') && title.split(' ').every((word) => text.includes(word));
}

/** Where titles of a test file stand: in the file itself, and in the suites that it registers, contracts and faults. */
function titlesOf(file: URL): string {
  const text = readFileSync(file, 'utf8').replaceAll("\\'", "'");
  const suites = [...text.matchAll(/from '([^']+\.contract\.ts|[^']+\/support\/faults\/[^']+)'/g)].map(
    ([, path = '']) => titlesOf(new URL(path, file)),
  );
  return [text, ...suites].join('\n');
}
