import { format, resolveConfig } from 'prettier';
import { expect } from 'vitest';

/**
 * Holds a page of `docs/spec/` to the catalogue that it is made from: it fails when they differ, and `vitest run <test> -u`
 * writes the page.
 */
export async function expectSpecPage(name: string, markdown: string): Promise<void> {
  const path = new URL(`../../docs/spec/${name}`, import.meta.url).pathname;
  const config = await resolveConfig(path);
  await expect(await format(markdown, { ...config, parser: 'markdown' })).toMatchFileSnapshot(path);
}

/** A table of Markdown; a bar in a cell is escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
