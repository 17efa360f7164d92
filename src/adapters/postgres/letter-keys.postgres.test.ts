import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentOf, csvOf } from '../../../test/contract/staged-csv.ts';
import { eventually } from '../../../test/support/eventually.ts';
import {
  execute,
  isPostgresMissing,
  openPostgresForTests,
  type PostgresForTests,
} from '../../../test/support/postgres.ts';
import { openTableHarness, type TableHarness } from '../../../test/support/table-harness.ts';
import type { Secret } from '../../config/secrets.ts';
import { deadLetterColumns } from '../../core/dead-letter.ts';

const waiting = { signal: new AbortController().signal };
const table = '"sys.c-millrace"."dead_letters"';
const letters = 20_000;

const theirIndex = `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition, indisvalid AS valid
  FROM pg_index WHERE indrelid = '${table}'::regclass AND pg_get_indexdef(indexrelid) LIKE '%event_id%'`;

describe.skipIf(await isPostgresMissing())('dead letters on PostgreSQL', () => {
  let server: PostgresForTests;
  let url: Secret;
  let harness: TableHarness;

  beforeAll(async () => {
    server = await openPostgresForTests();
    url = await server.createDatabase();
    harness = await openTableHarness(url);
    await harness.make();
  });
  afterAll(async () => {
    await harness[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  /** How often the index was asked, and rows that it found for that; a connection tells of it within a second. */
  const asked = async (): Promise<{ readonly scans: number; readonly found: number }> => {
    const [row] = await execute(
      url,
      `SELECT idx_scan AS scans, idx_tup_read AS found FROM pg_stat_user_indexes
        WHERE relid = '${table}'::regclass AND pg_get_indexdef(indexrelid) LIKE '%event_id%'`,
    );
    return { scans: Number(row?.['scans']), found: Number(row?.['found']) };
  };

  /** The statement of docs/guides/operating.md. */
  const statement = async (): Promise<string> => {
    const guide = await readFile(new URL('../../../docs/guides/operating.md', import.meta.url), 'utf8');
    return /```sql\n(CREATE INDEX CONCURRENTLY [^`]+)```/.exec(guide)?.[1] ?? '';
  };

  it('D8: a batch of a replay reads the letters by their index, also by the one that the guide adds to an older table', async () => {
    const { incarnation } = harness.request(1, []);
    const lines = Array.from({ length: letters }, (_, at) =>
      deadLetterColumns.map((column) => {
        const cells = { incarnation, partition: at % 4, offset: at, event_id: `event-${at}` };
        return column in cells ? String(cells[column as keyof typeof cells]) : 'x'.repeat(20);
      }),
    );
    const dead = [contentOf(csvOf(lines))];
    await harness.store.import(harness.request(1, [], { dead, expected: { rows: 0, dead: letters } }), waiting);
    const [made] = await execute(url, theirIndex);
    await execute(url, `DROP INDEX ${String(made?.['name'])}`);
    await execute(url, await statement());
    const [added] = await execute(url, theirIndex);
    expect(added).toEqual(made);
    await execute(url, `ANALYZE ${table}`);
    const after = { partition: 1, offset: 9001, eventId: 'event-9001' };
    const query = { incarnation, where: [], after, limit: 100, maxBytes: 1_000_000 };
    const next = await harness.store.nextLetters(query, waiting);
    expect(next.map(({ offset }) => Number(offset))).toEqual(Array.from({ length: 100 }, (_, at) => 9005 + 4 * at));
    const keys = next.map(({ partition, offset, event_id: id }) => [partition, offset, id]);
    const replaced = { letters: [contentOf(csvOf(keys))], expected: keys.length };
    const change = { replaced, before: { rows: 0, dead: letters } };
    expect(await harness.store.import(harness.request(2, [['1', 'x']], change), waiting)).toBe('loaded');
    // The letters are found for their sizes and for themselves: nothing before their place is read.
    await eventually(async () => expect((await asked()).scans).toBeGreaterThanOrEqual(2));
    expect((await asked()).found).toBeLessThan(1000);
  });
});
