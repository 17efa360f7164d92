import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster, whyNoCluster, type Cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { rootToken } from '../support/installation.ts';
import { startKafka, type StartedKafka } from '../support/kafka.ts';
import { runMillrace, type CommandRun, type RunOptions } from '../support/run-millrace.ts';
import {
  openSchemaRegistryForTests,
  whyNoSchemaRegistry,
  type SchemaRegistryForTests,
} from '../support/schema-registry.ts';
import { Shop, type Column } from '../support/shop.ts';
import { startCommand } from '../support/start-command.ts';

const missing = (await whyNoCluster()) ?? (await whyNoSchemaRegistry());
if (missing !== undefined) console.warn(`skipped, ${missing}`);

const columns: readonly Column[] = [
  { type: 'path', name: 'n', path: 'n' },
  { type: 'headers', name: 'headers' },
  { type: 'body', name: 'body' },
];
const avsc = '{"type":"record","name":"A","fields":[{"name":"n","type":"long"},{"name":"note","type":"string"}]}';
const lines = (count: number): string => Array.from({ length: count }, (_, n) => `{"n":${n}}\n`).join('');

describe.skipIf(missing !== undefined)('send --kafka', () => {
  let kafka: StartedKafka;
  let registry: SchemaRegistryForTests;
  let cluster: Cluster;
  let folder: string;
  let admin: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-send-kafka-'));
    kafka = await startKafka();
    registry = await openSchemaRegistryForTests();
    cluster = await openCluster({ ownKafka: kafka, schemaRegistryUrl: registry.url });
    admin = (await cluster.start('ingest,map,stage,import,admin')).admin;
    await writeFile(join(folder, 'a.avsc'), avsc);
  }, 400_000);

  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    await kafka[Symbol.asyncDispose]();
    await registry[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const shopOf = async (name: string, format = 'raw'): Promise<Shop> => {
    const shop = new Shop({ url: admin, token: rootToken }, name);
    await shop.create([{ sinkId: 'all', tableId: `in.c-${name}.all`, columns }]);
    if (format !== 'raw') {
      const settings = [{ key: 'kafka.value.format', value: format }];
      await shop.api.call('PATCH', `${shop.path}/settings`, { settings });
    }
    return shop;
  };
  const optionsOf = (options: RunOptions): RunOptions => ({
    cwd: folder,
    ...options,
    env: { ...cluster.secrets, ...options.env },
  });
  const send = (source: string, args: readonly string[], options: RunOptions = {}): Promise<CommandRun> =>
    runMillrace(['send', '--kafka', source, '--topology', cluster.topology, ...args], optionsOf(options));
  const numbersIn = async (shop: Shop, name: string, count: number): Promise<readonly string[]> => {
    await eventually(async () => expect((await shop.progress('all')).totals.accepted).toBeGreaterThanOrEqual(count));
    await shop.flush('all');
    return (await shop.api.rows(`in.c-${name}.all`))
      .map(({ n }) => String(n))
      .toSorted((a, b) => Number(a) - Number(b));
  };
  const upTo = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => String(n));

  it('D2, D3: writes the lines of files to the topic of the source, once each, byte for byte and with the headers', async () => {
    const shop = await shopOf('lines');
    await writeFile(join(folder, 'many.ndjson'), lines(5000));
    await writeFile(join(folder, 'odd.ndjson'), '\uFEFF{"n":5000}\r\n\r\n \n{"n" :5001, "t":"č"}');
    await writeFile(join(folder, 'empty.ndjson'), '');
    const files = ['many.ndjson', 'odd.ndjson', 'empty.ndjson'];
    const { code, stdout, stderr } = await send('lines', ['--header', 'X-Shop: brno', ...files]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '5002 accepted, 0 refused, 0 without an answer\n',
      stderr: '',
    });
    expect(await numbersIn(shop, 'lines', 5002)).toEqual(upTo(5002));
    const rows = await shop.api.rows('in.c-lines.all');
    expect(rows.find(({ n }) => n === '5001')).toEqual({
      n: '5001',
      headers: '{"X-Shop":"brno"}',
      body: '{"n" :5001, "t":"č"}',
    });
  });

  it('encodes by a schema, which is registered; lines that do not fit are refused by themselves, with line and field', async () => {
    const shop = await shopOf('coded', 'avro');
    const events = ['{"n":0,"note":"a"}', '{"n":"x","note":"a"}', '{"n":1,"note":"b"}', '{"n":2}', 'no JSON'];
    const { code, stdout, stderr } = await send('coded', ['--schema', 'a.avsc', '-'], {
      stdin: `${events.join('\r\n')}\n{"n":3,"note":"\n`,
    });
    expect(stdout).toBe('2 accepted, 4 refused, 0 without an answer\n');
    expect(stderr).toContain('stdin:2: refused: field "n": "x" is no long\n');
    expect(stderr).toContain('stdin:4: refused: field "note": it is missing');
    expect(stderr).toMatch(/^stdin:5: refused: it is no JSON: .*$/m);
    expect(stderr).toMatch(/^stdin:6: refused: it is no JSON: .*$/m);
    expect(stderr).toContain('4 of 6 events were not accepted');
    expect(code).toBe(1);
    expect(await numbersIn(shop, 'coded', 2)).toEqual(['0', '1']);
    const subjects = (await (await fetch(`${registry.url}/subjects`)).json()) as readonly string[];
    expect(subjects).toContain('source.1.coded-value');
  });

  it('refuses, and writes nothing: what cannot be said of the source, the schema and the topology', async () => {
    await shopOf('plain');
    await shopOf('asked', 'avro');
    await shopOf('texts', 'json-schema');
    const off = await shopOf('off');
    await off.api.task('PUT', `${off.path}/disable`);
    const topology = JSON.parse(await readFile(cluster.topology, 'utf8')) as { readonly catalog: object };
    const without = join(folder, 'without.yaml');
    await writeFile(without, JSON.stringify({ ...topology, schemaRegistry: undefined }));
    const early = join(folder, 'early.yaml');
    await writeFile(early, JSON.stringify({ ...topology, catalog: { ...topology.catalog, schema: 'early' } }));
    await writeFile(join(folder, 'late.json'), '{"$schema":"https://json-schema.org/draft/2020-12/schema"}');
    await writeFile(join(folder, 'one.yaml'), 'kind: embedded\n');
    await writeFile(join(folder, 'bad.avsc'), '{"type":"record","name":"A","fields":[{"name":"n","type":"lnog"}]}');
    const at = (topology: string, args: readonly string[]): Promise<CommandRun> =>
      runMillrace(['send', '--topology', topology, ...args, '-'], optionsOf({ stdin: '{"n":1}\n' }));
    const runs = await Promise.all([
      at(cluster.topology, ['--kafka', 'none']),
      at(cluster.topology, ['--kafka', 'plain', '--schema', 'a.avsc']),
      at(cluster.topology, ['--kafka', 'asked']),
      at(cluster.topology, ['--kafka', 'off']),
      at(without, ['--kafka', 'asked', '--schema', 'a.avsc']),
      at('one.yaml', ['--kafka', 'plain']),
      at('none.yaml', ['--kafka', 'plain']),
      at(early, ['--kafka', 'plain']),
      at(early, ['--kafka', 'plain']),
      at(cluster.topology, ['--kafka', 'texts', '--schema', 'late.json']),
      at(cluster.topology, ['--kafka', 'asked', '--schema', 'bad.avsc']),
      at(cluster.topology, ['--kafka', 'asked', '--schema', 'gone.avsc']),
      at(cluster.topology, ['--kafka', 'asked', '--schema', 'a.xsd']),
      at(cluster.topology, ['--source', 'plain']),
      at(cluster.topology, ['--kafka', 'plain', '--source', 'plain']),
      at(cluster.topology, ['--kafka', 'plain', '--header', 'millrace-id: x']),
    ]);
    const said = [
      [1, 'source "none" not found in the branch'],
      [2, 'and these are "avro": set it to "avro" first'],
      [2, 'source "asked" takes records with "kafka.value.format" "avro", and these are "raw": give --schema'],
      [2, 'source "off" is disabled'],
      [1, 'the topology names no schema registry'],
      [2, 'has no servers: everything is in one process'],
      [2, 'cannot be read: there is no such file'],
      [2, 'there is no catalog in schema "early"'],
      [2, 'there is no catalog in schema "early"'],
      [2, 'field "$schema": "https://json-schema.org/draft/2020-12/schema" is no draft that is known'],
      [2, 'the schema cannot be read: '],
      [2, '--schema "gone.avsc" cannot be read: there is no such file'],
      [2, 'must end with .avsc (Avro), .json (JSON Schema) or .proto (Protobuf)'],
      [2, '--topology is for --kafka, which is not given'],
      [2, "option '--kafka <source>' cannot be used with option '--source <id>'"],
      [2, 'Header "millrace-id": names that begin with "millrace-" are the product\'s own'],
    ] as const;
    for (const [index, [code, problem]] of said.entries()) {
      expect(runs[index]?.stderr).toContain(problem);
      expect(runs[index]?.code).toBe(code);
      expect(runs[index]?.stdout).toBe('');
      expect(runs[index]?.stderr).not.toMatch(/^ +at /m);
    }
  });

  it('D1: a line that is too large for the topic is refused by itself; a line without end ends it, with what was accepted', async () => {
    const shop = await shopOf('large');
    // An append of topics.maxAppendBytes fits, with the little that Kafka adds to it; a row is bounded far below.
    const whole = 8 * 1024 * 1024;
    const largest = `{"n":1,"t":"`.padEnd(whole - 2, 'x').concat('"}');
    const larger = `{"n":1,"t":"`.padEnd(whole + 8 * 1024, 'x').concat('"}');
    const some = await send('large', ['-'], { stdin: `{"n":0}\n${larger}\n{"n":2}\n${largest}\n` });
    expect(some.stdout).toBe('3 accepted, 1 refused, 0 without an answer\n');
    expect(some.stderr).toMatch(/^stdin:2: refused: /m);
    const endless = await send('large', ['-'], { stdin: `{"n":3}\n${'x'.repeat(17 * 1024 * 1024)}` });
    expect(endless.stdout).toBe('1 accepted, 0 refused, 0 without an answer\n');
    expect(endless.stderr).toContain('stdin:2: the line is longer than 16777216 bytes');
    expect(endless.code).toBe(2);
    expect(await numbersIn(shop, 'large', 4)).toEqual(['0', '2', '3']);
  });

  it('interrupted, it says how many were acknowledged, and ends with 130 and no stack', async () => {
    const shop = await shopOf('cut');
    await using command = await startCommand(
      ['send', '--kafka', 'cut', '--topology', cluster.topology, '-'],
      optionsOf({}),
    );
    command.child.stdin.write(lines(10));
    await eventually(async () => expect((await shop.progress('all')).totals.accepted).toBe(10));
    command.child.kill('SIGINT');
    const { code, stdout, stderr } = await command.ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 130,
      stdout: 'interrupted: 10 accepted, 0 refused, 0 without an answer\n',
      stderr: '',
    });
  });

  it('D2, D3: the broker is killed in the middle and comes back: every line is there once', async () => {
    const shop = await shopOf('killed');
    const path = ['send', '--kafka', 'killed', '--topology', cluster.topology, '--batch', '100', '-'];
    await using command = await startCommand(path, optionsOf({}));
    const all = lines(20_000);
    const middle = all.length / 2;
    command.child.stdin.write(all.slice(0, middle));
    await eventually(async () => expect((await shop.progress('all')).totals.accepted).toBeGreaterThan(100));
    await kafka.kill();
    command.child.stdin.end(all.slice(middle));
    await kafka.start();
    const { code, stdout } = await command.ended;
    expect(stdout).toBe('20000 accepted, 0 refused, 0 without an answer\n');
    expect(code).toBe(0);
    expect(await numbersIn(shop, 'killed', 20_000)).toEqual(upTo(20_000));
  });

  it('the brokers are gone: it ends, says why, and how many were accepted', async () => {
    await shopOf('gone');
    const path = ['send', '--kafka', 'gone', '--topology', cluster.topology, '-'];
    await using command = await startCommand(path, optionsOf({}));
    command.child.stdin.write(lines(10));
    await eventually(async () => {
      const { totals } = await new Shop({ url: admin, token: rootToken }, 'gone').progress('all');
      expect(totals.accepted).toBe(10);
    });
    await kafka.kill();
    command.child.stdin.end(lines(5000));
    const [{ code, stdout, stderr }, away] = await Promise.all([
      command.ended,
      send('gone', ['-'], { stdin: '{"n":1}\n' }),
    ]);
    expect(stdout).toMatch(/^10 accepted, 0 refused, \d+ without an answer\n$/);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(code).toBe(1);
    expect(away.stderr).toContain('cannot describe topic "source.1.gone": ');
    expect(away.code).toBe(1);
    await kafka.start();
  });
});
