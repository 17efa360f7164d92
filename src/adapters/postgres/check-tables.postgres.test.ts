import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastingPort } from '../../../test/support/free-port.ts';
import {
  execute,
  isPostgresMissing,
  openPostgresForTests,
  type PostgresForTests,
} from '../../../test/support/postgres.ts';
import { openTableHarness, throughPort } from '../../../test/support/table-harness.ts';
import { Secret } from '../../config/secrets.ts';
import type { Finding } from '../../core/finding.ts';
import { checkTables } from './check-tables.ts';

const { signal } = new AbortController();

describe.skipIf(await isPostgresMissing())('checking the tables of a PostgreSQL', () => {
  let server: PostgresForTests;
  beforeAll(async () => {
    server = await openPostgresForTests();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const check = (url: Secret, now = Date.now()): Promise<readonly Finding[]> =>
    checkTables({ url, tempDir: '/tmp', connectTimeoutMs: 20_000 }, { now, signal });
  const wrong = (findings: readonly Finding[]): readonly Finding[] => findings.filter(({ kind }) => kind !== 'good');

  it('finds nothing wrong with a fresh database, nor with one that is used, and leaves nothing behind', async () => {
    const url = await server.createDatabase();
    expect(wrong(await check(url))).toEqual([]);
    expect(await execute(url, `SELECT nspname FROM pg_namespace WHERE nspname LIKE 'millrace%'`)).toEqual([]);
    await using harness = await openTableHarness(url);
    await harness.make();
    const findings = await check(url);
    expect(wrong(findings)).toEqual([]);
    expect(findings.map(({ text }) => text)).toContain('1 tables are as they were made.');
  });

  it('says in one sentence that the server cannot be reached', async () => {
    const url = throughPort(await server.createDatabase(), await lastingPort());
    expect(await check(url)).toEqual([
      { kind: 'bad', about: 'connection', text: expect.stringMatching(/^PostgreSQL: .*ECONNREFUSED.*\.$/) as unknown },
    ]);
  });

  it('says when the clocks differ', async () => {
    const findings = await check(await server.createDatabase(), Date.now() - 60_000);
    expect(wrong(findings)).toEqual([
      {
        kind: 'advice',
        about: 'clock',
        text: expect.stringMatching(/^The clock of this machine is (59|6\d) s behind/) as unknown,
      },
    ]);
  });

  it('says which encoding a database has that is not UTF-8', async () => {
    const url = await server.createDatabase();
    await execute(url, `CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`);
    const latin = new URL(url.reveal());
    latin.pathname = '/latin';
    try {
      expect(wrong(await check(new Secret(latin.href)))).toMatchObject([
        { kind: 'bad', about: 'encoding', text: expect.stringContaining('LATIN1') as unknown },
      ]);
    } finally {
      await execute(url, 'DROP DATABASE latin WITH (FORCE)');
    }
  });

  it('says which rights are missing, and a user without the right to make schemas can use those made for it', async () => {
    const url = await server.createDatabase();
    const role = `poor_${new URL(url.reveal()).pathname.slice(-8)}`;
    await execute(url, `CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
    const poor = new URL(url.reveal());
    poor.username = role;
    poor.password = 'x';
    const asPoor = new Secret(poor.href);
    try {
      expect(wrong(await check(asPoor))).toMatchObject([
        { kind: 'advice', about: 'schemas', text: expect.stringContaining('may not make schemas') as unknown },
        { kind: 'bad', about: 'format', text: expect.stringContaining('CREATE SCHEMA millrace_tables') as unknown },
      ]);
      await execute(url, `CREATE SCHEMA millrace_tables AUTHORIZATION ${role}`);
      await execute(url, `CREATE SCHEMA "in.c-shop" AUTHORIZATION ${role}`);
      {
        await using harness = await openTableHarness(asPoor);
        await harness.make();
        expect(await harness.store.import(harness.request(1, [['1', 'x']]), { signal })).toBe('loaded');
        await execute(url, `ALTER TABLE "in.c-shop".orders OWNER TO CURRENT_USER, ALTER b DROP NOT NULL`);
        expect(wrong(await check(asPoor)).filter(({ kind }) => kind === 'bad')).toMatchObject([
          {
            about: 'tables',
            text: 'The user may not read and fill the table "in.c-shop.orders": give it back to the user.',
          },
          { about: 'tables', text: expect.stringContaining('"b" (may be NULL)') as unknown },
        ]);
      }
    } finally {
      await execute(url, `DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
    }
  });
});
