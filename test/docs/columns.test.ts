import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { columnTypeNames } from '../../src/core/column.ts';

const guide = new URL('../../docs/guides/sources-and-sinks.md', import.meta.url);

it.each(columnTypeNames)(
  'the guide of sources and sinks shows a column of type %s, as it is written and in the API',
  async (type) => {
    const rows = (await readFile(guide, 'utf8')).split('\n').filter((line) => line.startsWith('| `NAME:'));
    expect(rows.some((row) => row.startsWith(`| \`NAME:${type}`) && row.includes(`"type": "${type}"`))).toBe(true);
  },
);
