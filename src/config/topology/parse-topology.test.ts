import { readdirSync, readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { MillraceError } from '../../core/millrace-error.ts';
import { fieldNames } from './field-names.ts';
import { parseTopology, readTopologyFile } from './parse-topology.ts';
import { topologySchema } from './schema.ts';
import { storeSchemas } from './store-schemas.ts';

const environment = {
  CATALOG_URL: 'postgres://millrace:open-sesame@db:5432/millrace',
  TABLES_URL: 'postgres://millrace:open-sesame@db:5432/tables',
  S3_SECRET: 'open-sesame',
  KAFKA_PASSWORD: 'open-sesame',
};

const least = `
kind: cluster
log: { kind: kafka, brokers: [localhost:9092] }
staging: { kind: s3, bucket: staging }
catalog: { kind: postgres, url: { env: CATALOG_URL } }
tables: { kind: postgres, url: { env: TABLES_URL } }
`;

const parse = (text: string) => parseTopology(text, { path: 'cluster.yaml', environment });

function problemsOf(text: string): readonly string[] {
  try {
    parse(text);
  } catch (thrown) {
    if (thrown instanceof MillraceError && thrown.code === 'config.invalid')
      return thrown.message.split('\n- ').slice(1);
    throw thrown;
  }
  return [];
}

describe('a topology file', () => {
  it('needs no more than where the servers are', () => {
    expect(parse(least)).toMatchObject({
      kind: 'cluster',
      roles: ['ingest', 'map', 'stage', 'import', 'work', 'admin'],
      log: { brokers: ['localhost:9092'], sessionTimeoutMs: 10_000, topics: { retentionMs: 604_800_000 } },
      staging: { prefix: '', region: 'us-east-1' },
      catalog: { kind: 'postgres', schema: 'millrace_catalog', maxConnections: 10 },
    });
  });

  it('shows no secret, however it is printed', () => {
    const topology = parse(least);
    expect(`${JSON.stringify(topology)} ${inspect(topology, { depth: 9, showHidden: true })}`).not.toContain('sesame');
    const { tables } = topology.kind === 'cluster' ? topology : {};
    expect(tables?.kind === 'postgres' && tables.url.reveal()).toBe(environment.TABLES_URL);
  });

  it('D9: reports all problems at once, each with line, field, value and rule', () => {
    const problems = problemsOf(`
kind: cluster
roles: [ingest, mapp]
log:
  kind: kafka
  brokers: [localhost]
  topics: { replication: none, retention: soon }
  colour: red
staging: { kind: s3 }
catalog: { kind: sqlite }
tables: { kind: postgres, url: postgres://millrace:open-sesame@db/tables }
`);
    expect(problems).toEqual([
      'line 3: roles[1]: "mapp" must be one of ingest, map, stage, import, work, admin',
      'line 6: log.brokers[0]: "localhost" must be a broker as host:port',
      'line 7: log.topics.replication: "none" must be a whole number from 1 to 100',
      'line 7: log.topics.retention: "soon" must be a duration from 1m0s to 240000h0m0s',
      'line 8: log.colour: there is no such field; there are kind, brokers, tls, sasl, sessionTimeout, compression, topics',
      'line 9: staging.bucket: is missing; it must be a name of letters, digits, ".", "_" and "-"',
      'line 10: catalog.kind: must be mongodb or postgres',
      'line 11: tables.url: must be a URL postgres://user:password@host:port/database, by reference: { env: NAME } or { file: PATH }, so that the file holds no secret',
    ]);
    expect(problems.join()).not.toContain('sesame');
  });

  it('D9: a codec that Kafka does not have is refused, with those that it has', () => {
    const withCodec = (codec: string) => least.replace('9092] }', `9092], compression: ${codec} }`);
    expect(problemsOf(withCodec('brotli'))).toEqual([
      'line 3: log.compression: "brotli" must be one of none, gzip, snappy, lz4, zstd',
    ]);
    expect(parse(withCodec('zstd'))).toMatchObject({ log: { compression: 'zstd' } });
    expect(parse(least)).toMatchObject({ log: { compression: 'none' } });
  });

  it('D9: a schema registry needs a URL without user, and the password by reference', () => {
    const registry = (fields: string) => `${least}schemaRegistry: { ${fields} }\n`;
    const whole = parse(registry('url: https://registry:8081/, username: millrace, password: { env: KAFKA_PASSWORD }'));
    expect(whole).toMatchObject({ schemaRegistry: { url: 'https://registry:8081', username: 'millrace' } });
    expect(problemsOf(registry('url: registry, username: millrace, password: open, name: x'))).toEqual([
      'line 7: schemaRegistry.url: "registry" must be a URL that begins with http:// or https://, without user, password or query',
      'line 7: schemaRegistry.password: must be a password, by reference: { env: NAME } or { file: PATH }, so that the file holds no secret',
      'line 7: schemaRegistry.name: there is no such field; there are url, username, password, caFile',
    ]);
    expect(problemsOf(registry('url: http://registry:8081, username: millrace'))).toEqual([
      'line 7: schemaRegistry: needs username and password, or neither',
    ]);
  });

  it('D9: a value of another type is not said to be missing', () => {
    const text = least.replace('[localhost:9092]', '5').replace('staging: { kind: s3, bucket: staging }', 'staging: 7');
    expect(problemsOf(text)).toEqual(['line 3: log.brokers: must be a list', 'line 4: staging: must be an object']);
    expect(problemsOf(least.replace('brokers: [localhost:9092]', ''))).toEqual(['line 3: log.brokers: is missing']);
  });

  it('D9: says which reference leads nowhere', () => {
    const text = least.replace('CATALOG_URL', 'NO_SUCH').replace('{ env: TABLES_URL }', '{ file: /no/such/file }');
    expect(problemsOf(text)).toEqual([
      'line 5: catalog.url: the variable NO_SUCH is not set',
      'line 6: tables.url: the file "/no/such/file" cannot be read: there is no such file',
    ]);
  });

  it('D9: a reference to something empty is refused', () => {
    const text = least.replace('CATALOG_URL', 'EMPTY').replace('{ env: TABLES_URL }', '{ file: /dev/null }');
    expect(() => parseTopology(text, { path: 'cluster.yaml', environment: { EMPTY: '' } })).toThrow(
      /catalog.url: the variable EMPTY is empty\n- line 6: tables.url: the file "\/dev\/null" is empty$/,
    );
  });

  it('D9: names the nearest field for one that is not there', () => {
    const mistyped = least.replace('bucket: staging', 'bucket: staging, pathstyle: true') + 'schemaregistry: {}\n';
    expect(problemsOf(mistyped.replace('localhost:9092]', 'localhost:9092], topics: { replicas: 3 }'))).toEqual([
      'line 3: log.topics.replicas: there is no such field; there are replication, minInSyncReplicas, retention, retentionBytes, maxAppendBytes',
      'line 4: staging.pathstyle: there is no such field; did you mean pathStyle?',
      'line 7: schemaregistry: there is no such field; did you mean schemaRegistry?',
    ]);
  });

  it('D9: is YAML, with each key once, of a kind that is known', () => {
    expect(problemsOf('kind: [')[0]).toMatch(/^line 1: /);
    expect(problemsOf('kind: embedded\nkind: cluster\n')).toEqual(['line 2: Map keys must be unique']);
    expect(problemsOf('kind: huge')).toEqual(['line 1: kind: must be embedded or cluster']);
    expect(problemsOf('')).toHaveLength(1);
    expect(() => readTopologyFile('/no/such/file.yaml')).toThrow(
      '"/no/such/file.yaml" cannot be read: there is no such file.',
    );
    expect(() => readTopologyFile('/')).toThrow('"/" cannot be read: it is a folder.');
  });
});

describe('docs/spec/topology.md', () => {
  const page = readFileSync(new URL('../../../docs/spec/topology.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w.]+)` +\| (?:–|`([^`]+)`) +\|/gm)].map(([, name, value]) => ({
    name,
    value,
  }));

  it('names every field', () => {
    expect(rows.map(({ name = '' }) => name).toSorted()).toEqual(leaves([]).toSorted());
  });

  it('names every kind of store', () => {
    for (const [part, schema] of Object.entries(storeSchemas)) {
      const kinds = Array.from(schema._zod.propValues?.['kind'] ?? [], (kind) => `\`${String(kind)}\``);
      const [, row = ''] = new RegExp(`^\\| \`${part}\\.kind\` +\\| – +\\| (.*?) +\\|$`, 'm').exec(page) ?? [];
      expect(row.split(' or '), part).toEqual(kinds);
    }
  });

  it('says what a field is that is left out', () => {
    for (const kind of ['postgres', 'mongodb']) {
      const left = least.replace('kind: postgres', `kind: ${kind}`);
      const written = parseDocument(left);
      const others = kind === 'postgres' ? 'catalog.database' : /^catalog\.(?:schema|maxConnections)$/;
      for (const { name = '', value } of rows)
        if (value !== undefined && name.match(others) === null) written.setIn(name.split('.'), value);
      expect(parse(written.toString())).toEqual(parse(left));
    }
  });

  function leaves(path: readonly string[]): readonly string[] {
    const names = fieldNames(topologySchema, path);
    if (names.length === 0) return [path.join('.')];
    return names.flatMap((name) => (path.length === 0 && name === 'kind' ? [] : leaves([...path, name])));
  }
});

describe('the files of topologies/', () => {
  const folder = new URL('../../../topologies/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

  it('are there for one process, one machine and many', () => {
    expect(files).toEqual(expect.arrayContaining(['cluster.yaml', 'embedded.yaml', 'single-node.yaml']));
  });

  it.each(files)('%s: parses, and says in comments what it is for', (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const variables = [...text.matchAll(/env: (\w+)/g)].map(([, variable]) => [String(variable), 'http://x']);
    const files = [...text.matchAll(/file: ([^\s}]+) }$/gm)].map(([, file]) => file);
    expect(files).toEqual([]);
    expect(parseTopology(text, { path: name, environment: Object.fromEntries(variables) as never })).toBeDefined();
    expect(text).toMatch(/^# /);
  });
});
