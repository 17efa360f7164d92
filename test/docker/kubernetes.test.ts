import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import * as keda from '@kubernetes-models/keda/keda.sh/v1alpha1';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as policy from 'kubernetes-models/policy/v1';
import * as v1 from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { parseConfig } from '../../src/config/config.ts';
import { parseTopology } from '../../src/config/topology/parse-topology.ts';
import { roles } from '../../src/config/topology/role.ts';
import { findChecker } from './checkers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'docker/kubernetes');

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

interface Kustomization {
  readonly resources: readonly string[];
  readonly configMapGenerator: readonly { readonly name: string; readonly literals?: readonly string[] }[];
}

const readYaml = (name: string): string => readFileSync(join(folder, name), 'utf8');
const kustomization = parse(readYaml('kustomization.yaml')) as Kustomization;
const manifests = kustomization.resources.flatMap((file) =>
  parseAllDocuments(readYaml(file)).map((document) => document.toJS() as Manifest),
);
const named = manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const);

type Model = new (data: never) => { validate(): void };
const models: Readonly<Record<string, { readonly module: string; readonly kinds: object }>> = {
  'apps/v1': { module: 'kubernetes-models/apps/v1', kinds: apps },
  'autoscaling/v2': { module: 'kubernetes-models/autoscaling/v2', kinds: autoscaling },
  'policy/v1': { module: 'kubernetes-models/policy/v1', kinds: policy },
  v1: { module: 'kubernetes-models/v1', kinds: v1 },
  'keda.sh/v1alpha1': { module: '@kubernetes-models/keda/keda.sh/v1alpha1', kinds: keda },
};

const kustomize = await findChecker('kustomize');
const scratch = mkdtempSync(join(tmpdir(), 'millrace-manifests-'));
afterAll(() => rmSync(scratch, { recursive: true }));

describe('the manifests', () => {
  it('are those of the folder, with every role', () => {
    const files = readdirSync(folder).filter((name) => !['kustomization.yaml', 'topology.yaml'].includes(name));
    expect([...kustomization.resources].sort()).toEqual(files.sort());
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
    expect(deployments).toEqual(roles.map((role) => `millrace-${role}`));
  });

  it.each(named)('%s: is valid by the schema of its kind', (_name, manifest) => {
    const kinds = models[manifest.apiVersion]?.kinds as Readonly<Record<string, Model>>;
    const model = new kinds[manifest.kind]!(manifest as never);
    expect(() => model.validate()).not.toThrow();
  });

  it('have no field that their kinds do not know', async () => {
    // A schema lets fields pass that it does not name; the compiler refuses them in a literal of the schema's type.
    const lines = named.map(([, { apiVersion, kind, ...rest }], index) => {
      const type = `import('${models[apiVersion]?.module}').I${kind}`;
      return `export const manifest${index}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest })};`;
    });
    symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
    writeFileSync(join(scratch, 'manifests.mts'), lines.join('\n'));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', ''];
    const tsc = join(root, 'node_modules/.bin/tsc');
    const said = await promisify(execFile)(tsc, [...options, 'manifests.mts'], { cwd: scratch }).catch(
      (thrown: unknown) => thrown as { stdout: string },
    );
    expect(said.stdout).toBe('');
  });

  it.skipIf(kustomize.kind === 'nowhere')('become one stream by kustomize, each map with its hash', async () => {
    if (kustomize.kind === 'nowhere') return;
    const { code, text } = await kustomize.check(['build', '.'], folder);
    expect(code, text).toBe(0);
    expect(parseAllDocuments(text)).toHaveLength(manifests.length + kustomization.configMapGenerator.length);
    expect(text).toMatch(/configMapRef:\s+name: millrace-[0-9a-z]{10}\n/);
    expect(text).toMatch(/configMap:\s+name: millrace-topology-[0-9a-z]{10}\n/);
  });
});

interface Deployment {
  readonly replicas?: number;
  readonly template: { readonly spec: PodSpec };
}

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly enableServiceLinks: boolean;
  readonly containers: readonly [Container];
  readonly [field: string]: unknown;
}

interface Container {
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string }[];
  readonly envFrom: unknown;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly [string, string] } } };
  readonly [field: string]: unknown;
}

const literals = kustomization.configMapGenerator.find(({ name }) => name === 'millrace')?.literals ?? [];
const environment = {
  ...Object.fromEntries(literals.map((line) => line.split('=', 2) as [string, string])),
  MILLRACE_ROOT_TOKEN: 'a-root-token',
  KAFKA_PASSWORD: 'x',
  CATALOG_URL: 'mongodb://catalog',
  TABLES_URL: 'postgres://tables',
};
const config = parseConfig(environment, root);
const deployments = manifests
  .filter(({ kind }) => kind === 'Deployment')
  .map(({ metadata, spec }) => [metadata.name.replace('millrace-', ''), spec as unknown as Deployment] as const);
const has = (kind: string, role: string): boolean =>
  manifests.some((manifest) => manifest.kind === kind && manifest.metadata.name === `millrace-${role}`);

describe('the pods', () => {
  it('have a configuration and a topology that the product takes', () => {
    expect(config.topologyFile).toBe('/etc/millrace/topology.yaml');
    expect(config.ingest.publicUrl).toBeDefined();
    expect(parseTopology(readYaml('topology.yaml'), { path: 'topology.yaml', environment }).kind).toBe('cluster');
  });

  it.each(deployments)('%s: D10, is given the time to drain, and no variables of services', (role, { template }) => {
    const { terminationGracePeriodSeconds, enableServiceLinks, containers } = template.spec;
    const [{ args, lifecycle }] = containers;
    const pauseMs = Number(lifecycle?.preStop.exec.command[1] ?? 0) * 1000;
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(pauseMs + config.drainTimeoutMs);
    // A service "millrace-ingest" would give each pod a MILLRACE_INGEST_PORT, which is a variable of the product.
    expect(enableServiceLinks).toBe(false);
    expect(args).toEqual(['start', '--role', role]);
  });

  it.each(deployments)('%s: is one of several, and its number has one owner', (role, { replicas }) => {
    const scaled = has('HorizontalPodAutoscaler', role) || has('ScaledObject', role);
    expect(replicas === undefined).toBe(scaled);
    expect(replicas ?? 2).toBeGreaterThan(1);
    expect(has('PodDisruptionBudget', role)).toBe(true);
  });

  it.each(deployments)('%s: has probes, ports and nothing else of its own', (role, { template }) => {
    const { containers, topologySpreadConstraints: _spread, ...pod } = template.spec;
    const [{ args: _args, env = [], lifecycle: _lifecycle, resources: _resources, ports, ...container }] = containers;
    const probed = role === 'admin' ? 'api' : 'metrics';
    const probe = (path: string) => expect.objectContaining({ httpGet: { path, port: probed } }) as unknown;
    expect(container).toMatchObject({
      startupProbe: probe('/health/live'),
      livenessProbe: probe('/health/live'),
      readinessProbe: probe('/health/ready'),
    });
    const events = { ingest: config.ingest.port, 'otlp-grpc': config.otlpGrpc.port };
    const expected = { api: config.admin.port, ...events, metrics: config.ops.port };
    for (const { name, containerPort } of ports) expect(containerPort).toBe(expected[name as keyof typeof expected]);
    expect(ports.map(({ name }) => name)).toContain(probed);
    expect(role === 'ingest').toBe(Object.keys(events).every((name) => ports.some((port) => port.name === name)));
    expect(env.map(({ name }) => name)).toEqual(role === 'admin' ? ['MILLRACE_ROOT_TOKEN'] : []);
    const [, first] = deployments[0]!;
    const { containers: _containers, topologySpreadConstraints: _constraints, ...firstPod } = first.template.spec;
    expect(pod).toEqual(firstPod);
    for (const field of ['image', 'envFrom', 'securityContext', 'volumeMounts'])
      expect(container[field]).toEqual(first.template.spec.containers[0][field]);
  });
});

interface ServicePort {
  readonly name: string;
  readonly port: number;
  readonly targetPort: string;
}

describe('the service of ingest', () => {
  it('has every port where events are taken, under the name and number of the pods', () => {
    const service = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'millrace-ingest');
    const ports = service?.spec['ports'] as readonly ServicePort[];
    expect(ports.map(({ name, port, targetPort }) => ({ name, port, targetPort }))).toEqual([
      { name: 'ingest', port: config.ingest.port, targetPort: 'ingest' },
      { name: 'otlp-grpc', port: config.otlpGrpc.port, targetPort: 'otlp-grpc' },
    ]);
  });
});
