import { expect, it } from 'vitest';
import { parseTopology } from '../../config/topology/parse-topology.ts';
import type { Role } from '../../config/topology/role.ts';
import { watchedServers } from './watched-servers.ts';

const server = { kind: 'postgres', url: { env: 'DATABASE' } };
const text = JSON.stringify({
  kind: 'cluster',
  log: { kind: 'kafka', brokers: ['127.0.0.1:1'] },
  staging: { kind: 's3', bucket: 'staging', endpoint: 'http://127.0.0.1:1' },
  catalog: server,
  tables: server,
  schemaRegistry: { url: 'http://127.0.0.1:1' },
});

function needed(...roles: readonly Role[]): readonly string[] {
  const topology = parseTopology(text, {
    path: 'topology.json',
    environment: { DATABASE: 'postgres://u:p@127.0.0.1:1/x' },
  });
  if (topology.kind !== 'cluster') return [];
  const opened = { ports: { objects: {} } as never, tables: undefined, clientId: 'x', tempDir: '/' };
  return watchedServers({ topology, roles: new Set(roles), ...opened }).map(({ name }) => name);
}

it('L5: ingest needs the log alone, and every other role what it works with', () => {
  expect(needed('ingest')).toEqual(['log (kafka)']);
  expect(needed('map')).toEqual(['log (kafka)', 'catalog (postgres)', 'schema registry']);
  expect(needed('stage')).toEqual(['log (kafka)', 'catalog (postgres)', 'staging (s3)']);
  for (const role of ['import', 'admin'] as const)
    expect(needed(role)).toEqual(['log (kafka)', 'catalog (postgres)', 'staging (s3)', 'tables (postgres)']);
});
