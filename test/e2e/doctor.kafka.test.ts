import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Examined } from '../../src/runtime/product.ts';
import { openCluster, whyNoCluster, type Cluster } from '../support/cluster.ts';
import { runMillrace, type CommandRun } from '../support/run-millrace.ts';
import { openSmallRegistry, type SmallRegistry } from '../support/small-registry.ts';

const missing = await whyNoCluster();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

describe.skipIf(missing !== undefined)('millrace doctor', () => {
  let cluster: Cluster;
  let registry: SmallRegistry;

  beforeAll(async () => {
    registry = await openSmallRegistry();
    cluster = await openCluster({ schemaRegistryUrl: registry.url });
  });

  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    await registry[Symbol.asyncDispose]();
  });

  const doctor = (env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CommandRun> =>
    runMillrace(['doctor', '--topology', cluster.topology, ...args], { env: { ...cluster.secrets, ...env } });

  it('finds nothing wrong with servers that are right, and says what it looked at', async () => {
    const { code, stdout, stderr } = await doctor({});
    expect(stderr).toBe('');
    for (const server of ['log (kafka)', 'staging (s3)', 'catalog (postgres)', 'tables (postgres)', 'schema registry'])
      expect(stdout).toContain(`${server}\n  ✓ `);
    expect(stdout).not.toContain('✗');
    const linesOf = (server: string): readonly string[] =>
      (stdout.split(`${server}\n`)[1] ?? '')
        .split('\n\n')[0]
        ?.replaceAll(/database "[^"]+"|[\d.]+ m?s/g, '')
        .split('\n') ?? [];
    const shared = linesOf('tables (postgres)').filter((line) =>
      / (connection|clock|durability|encoding): /.test(line),
    );
    expect(shared).toHaveLength(4);
    expect(linesOf('catalog (postgres)')).toEqual(expect.arrayContaining([...shared]));
    expect(code).toBe(0);
  });

  it('says of each server by itself what is wrong, in words, with no secret in it, and ends with 1', async () => {
    const wrong = {
      S3_SECRET: 'not-the-secret',
      TABLES_URL: String(cluster.secrets['TABLES_URL']).replace(/:[^:@/]+@/, ':not-the-password@'),
    };
    const { code, stdout, stderr } = await doctor(wrong, '--json');
    const examined = JSON.parse(stdout) as readonly Examined[];
    const bad = examined.filter(({ findings }) => findings.some(({ kind }) => kind === 'bad'));
    expect(bad.map(({ server }) => server)).toEqual(['staging (s3)', 'tables (postgres)']);
    expect(stdout + stderr).not.toMatch(/not-the-|open-sesame/);
    expect(stderr).toBe('millrace: 2 things are wrong.\nMend what it marks as wrong: ✗ in the list, "bad" in JSON.\n');
    expect(code).toBe(1);
  });

  it('says what to do about addresses at which nothing listens, and why a file cannot be read', async () => {
    const away = { S3_ENDPOINT: 'http://127.0.0.1:1', CATALOG_URL: 'postgres://u:open-sesame@127.0.0.1:1/x' };
    const { stdout } = await doctor(away, '--json');
    const examined = JSON.parse(stdout) as readonly Examined[];
    for (const part of ['staging (s3)', 'catalog (postgres)'])
      expect(examined.find(({ server }) => server === part)?.findings).toEqual([
        expect.objectContaining({
          kind: 'bad',
          text: expect.stringMatching(
            /ECONNREFUSED.*; nothing listens at that address: start the server, or correct/,
          ) as string,
        }),
      ]);
    const { stderr } = await runMillrace(['doctor', '--topology', `${cluster.topology}.none`], {
      env: cluster.secrets,
    });
    expect(stderr).toContain('cannot be read: there is no such file');
  });

  it('says what to do about more replicas than brokers, and about a bucket that is not there', async () => {
    const topology = JSON.parse(await readFile(cluster.topology, 'utf8')) as Record<'log' | 'staging', object>;
    const log = { ...topology.log, topics: { replication: 3 } };
    const path = `${cluster.topology}.wrong`;
    await writeFile(
      path,
      JSON.stringify({ ...topology, log, staging: { ...topology.staging, bucket: 'no-such-bucket' } }),
    );
    const { stdout } = await runMillrace(['doctor', '--topology', path], { env: cluster.secrets });
    expect(stdout).toContain('✓ connection: The cluster has 1 broker: ');
    expect(stdout).toContain(
      '✗ topics: Cannot make a topic with replication 3 on 1 broker (add brokers, or lower log.topics.replication): ',
    );
    expect(stdout).toMatch(/✗ list: Cannot list the bucket "no-such-bucket": .*create the bucket or correct its name/);
  });
});
