import { readFile, stat } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).toSorted();
const decisions = pages.filter((page) => page.startsWith('docs/adr/'));

const read = (page: string): Promise<string> => readFile(join(root, page), 'utf8');

describe('docs/README.md', () => {
  it('names every guide, every page of the specification and every decision, the latter in order', async () => {
    const linked = linksOf(await read('docs/README.md')).map((link) => `docs/${link}`);
    const listed = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
    expect(linked.toSorted()).toEqual(listed);
    expect(linked.filter((link) => link.startsWith('docs/adr/'))).toEqual(decisions);
  });

  it('numbers decisions from 0001 without a gap, and calls them by their titles', async () => {
    const index = await read('docs/README.md');
    for (const [at, page] of decisions.entries()) {
      const title = /^# (.*)$/m.exec(await read(page))?.[1] ?? '';
      expect(title.slice(0, 5), page).toBe(`${String(at + 1).padStart(4, '0')} `);
      expect(page).toContain(`/${title.slice(0, 4)}-`);
      expect(index).toContain(`- [${title}](`);
    }
  });
});

it.each(pages)('%s: every link leads to a file and a heading that are there', async (page) => {
  const broken: string[] = [];
  for (const link of linksOf(await read(page))) {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    const found = await stat(join(root, target)).catch(() => undefined);
    if (found === undefined) broken.push(link);
    else if (anchor !== undefined && !anchorsOf(await read(target)).includes(anchor)) broken.push(link);
  }
  expect(broken).toEqual([]);
});

/** Links to files of the project, in order. */
function linksOf(text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !link.includes('://'));
}

/** Anchors of headings, as GitHub makes them. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
