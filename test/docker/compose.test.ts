import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../../src/config/config.ts';
import { parseTopology } from '../../src/config/topology/parse-topology.ts';
import { findChecker } from './checkers.ts';

interface Service {
  readonly image?: string;
  readonly build?: unknown;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: object;
  readonly restart?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly stop_grace_period?: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(`${root}docker/compose.yaml`, 'utf8');

/** As compose reads it when no variable is set. */
const withDefaults = text.replaceAll(/\$\{\w+:-((?:[^{}]|\$\{[^}]*\})*)\}/g, '$1');
const stack = parse(withDefaults, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
};
const services = Object.entries(stack.services);
const ours = services.filter(([, service]) => service.build !== undefined);
const composeGo = await findChecker('compose-go');

describe('the stack of compose', () => {
  it.skipIf(composeGo.kind === 'nowhere')('is loaded by the library of docker compose, consistent', async () => {
    if (composeGo.kind === 'nowhere') return;
    const { code, text: said } = await composeGo.check(['compose.yaml'], `${root}docker`);
    expect(code, said).toBe(0);
    expect(said).not.toMatch(/level=warning/);
  });

  it('runs every role, and the servers that they work on', () => {
    expect(ours.flatMap(([, { environment }]) => environment?.['MILLRACE_ROLES'])).toEqual([
      'ingest',
      'map',
      'stage',
      'import',
      'work',
      'admin',
    ]);
    const others = [
      'kafka',
      'mongodb',
      'postgres',
      's3',
      'bucket',
      'schema-registry',
      'connect',
      'prometheus',
      'grafana',
    ];
    expect(Object.keys(stack.services)).toEqual(expect.arrayContaining(others));
  });

  it.each(ours)('%s: its variables are a configuration and a topology that the product takes', (_name, service) => {
    const environment = service.environment ?? {};
    const config = parseConfig(environment, root);
    const topologyFile = config.topologyFile ?? '';
    const topology = parseTopology(readFileSync(topologyFile, 'utf8'), { path: topologyFile, environment });
    expect(topology.kind).toBe('cluster');
    const graceMs = Number.parseInt(service.stop_grace_period ?? '', 10) * 1000;
    expect(graceMs).toBeGreaterThan(config.drainTimeoutMs);
  });

  it('publishes every port where events are taken', () => {
    const service = stack.services['ingest'];
    const { ingest, otlpGrpc } = parseConfig(service?.environment ?? {}, root);
    expect(service?.ports).toEqual([ingest, otlpGrpc].map(({ port }) => `127.0.0.1:${port}:${port}`));
  });

  it('gives admin alone the root token', () => {
    const holders = services.filter(([, { environment }]) => environment?.['MILLRACE_ROOT_TOKEN'] !== undefined);
    expect(holders.map(([name]) => name)).toEqual(['admin']);
  });

  it('gives the worker of Kafka Connect what the files of connectors/ refer to, and lets it look there', () => {
    const files = globSync(`${root}connectors/*.json`).map((file) => readFileSync(file, 'utf8'));
    const wanted = new Set(files.flatMap((file) => [...file.matchAll(/\$\{env:(\w+)\}/g)].map(([, name]) => name)));
    expect(wanted.size).toBeGreaterThan(1);
    expect(Object.keys(stack.services['connect']?.environment ?? {})).toEqual(expect.arrayContaining([...wanted]));
    const worker = readFileSync(`${root}docker/kafka-connect/worker.properties`, 'utf8');
    const guide = readFileSync(`${root}docs/guides/kafka-connect.md`, 'utf8');
    const providers = [...guide.matchAll(/^config\.providers.*$/gm)].map(([line]) => line);
    expect(providers).toHaveLength(2);
    expect(worker.split('\n')).toEqual(expect.arrayContaining(providers));
  });

  it.each(services)('%s: is started again, and waited for with a condition', (name, service) => {
    expect(service.restart).toBe(name === 'bucket' ? 'on-failure' : 'unless-stopped');
    expect(service.healthcheck !== undefined || name === 'bucket').toBe(true);
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {}))
      expect(condition).toBe(other === 'bucket' ? 'service_completed_successfully' : 'service_healthy');
  });

  it('names the version of every image that is not ours', () => {
    const images = services.filter(([, { build }]) => build === undefined).map(([, { image }]) => image);
    expect(images.filter((image) => !/:v?\d+\.?\d*/.test(image ?? ''))).toEqual([]);
  });

  it('is reached on loopback only, and keeps what it has in volumes with names', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    const mounts = services.flatMap(([, service]) => service.volumes ?? []).map((mount) => mount.split(':')[0] ?? '');
    const named = mounts.filter((mount) => !mount.startsWith('.'));
    expect(Object.keys(stack.volumes).sort()).toEqual([...named].sort());
    for (const mount of mounts.filter((place) => place.startsWith('.')))
      expect(existsSync(`${root}docker/${mount}`), mount).toBe(true);
  });

  it('holds no secret but defaults for a demonstration, which a variable replaces', () => {
    const secrets = [...text.matchAll(/^ +\w*(?:PASSWORD|SECRET\w*|TOKEN): (.*)$/gm)].map(([, value]) => value);
    expect(secrets.length).toBeGreaterThan(5);
    for (const secret of secrets) expect(secret).toMatch(/^\$\{[A-Z0-9_]+:-demonstration[a-z-]*\}$/);
    expect([...text.matchAll(/:\/\/\w+:([^@\s]*)@/g)].map(([, password]) => password)).toEqual([
      '${POSTGRES_PASSWORD:-demonstration}',
    ]);
  });
});
