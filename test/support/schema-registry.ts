import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { canRun } from './can-run.ts';
import { eventually } from './eventually.ts';
import { lastingPort } from './free-port.ts';
import type { Nowhere } from './kafka.ts';
import { lightJvm } from './light-jvm.ts';
import { madeOnce } from './made-once.ts';
import { startServerProcess } from './server-process.ts';

const run = promisify(execFile);

const version = '2.6.13.Final';
const jar = `apicurio-registry-app-${version}-runner.jar`;

/** A schema registry for a suite. */
export interface SchemaRegistryForTests extends AsyncDisposable {
  /** Base of the API that is Confluent's. */
  readonly url: string;
}

/**
 * Where the suites find their registry: the base URL that MILLRACE_TEST_SCHEMA_REGISTRY names; else one that
 * `startSchemaRegistry` brings up, for which java and mvn are needed; else nowhere, with the reason.
 */
async function whereIsSchemaRegistry(): Promise<
  { readonly kind: 'given'; readonly url: string } | { readonly kind: 'started' } | Nowhere
> {
  const url = process.env['MILLRACE_TEST_SCHEMA_REGISTRY'];
  if (url !== undefined && url !== '') return { kind: 'given', url };
  for (const command of ['java', 'mvn']) {
    if (await canRun(command)) continue;
    const reason = `no schema registry: MILLRACE_TEST_SCHEMA_REGISTRY is not set and there is no ${command}`;
    return { kind: 'nowhere', reason };
  }
  return { kind: 'started' };
}

/** Why there can be no registry here; undefined when there can. In CI it throws instead. */
export async function whyNoSchemaRegistry(): Promise<string | undefined> {
  const place = await whereIsSchemaRegistry();
  if (place.kind !== 'nowhere') return undefined;
  if (process.env['CI'] !== undefined) throw new Error(place.reason);
  return place.reason;
}

/** The registry of `whereIsSchemaRegistry`; disposing it takes down what was brought up for it. */
export async function openSchemaRegistryForTests(): Promise<SchemaRegistryForTests> {
  const place = await whereIsSchemaRegistry();
  switch (place.kind) {
    case 'given':
      return { url: place.url, [Symbol.asyncDispose]: async () => {} };
    case 'started':
      return startSchemaRegistry();
    case 'nowhere':
      throw new Error(place.reason);
    default:
      return place satisfies never;
  }
}

/** Apicurio on a free port, with what it keeps in memory; it ends with this process. */
async function startSchemaRegistry(): Promise<SchemaRegistryForTests> {
  const folder = await registryFolder();
  const port = await lastingPort();
  const url = `http://127.0.0.1:${port}/apis/ccompat/v7`;
  const options = ['-Xmx256m', ...lightJvm, '-Dquarkus.http.host=127.0.0.1', `-Dquarkus.http.port=${port}`];
  const server = await startServerProcess({
    name: 'Apicurio',
    command: ['java', ...options, '-jar', join(folder, jar)],
    isReady: (line) => line.includes('Listening on'),
    readyMs: 120_000,
  });
  await eventually(() => answers(url));
  return { url, [Symbol.asyncDispose]: () => server.kill() };
}

async function answers(url: string): Promise<void> {
  const { status } = await fetch(`${url}/subjects`);
  if (status !== 200) throw new Error(`the registry answers with ${status}`);
}

/** The registry, fetched once by Maven into a cache of the user; others who want it meanwhile wait. */
async function registryFolder(): Promise<string> {
  return madeOnce(`apicurio-registry-${version}`, async (work) => {
    await writeFile(join(work, 'pom.xml'), pom);
    const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy';
    const artifact = `-Dartifact=io.apicurio:apicurio-registry-app:${version}:tar.gz:all`;
    await run('mvn', ['-B', '-ntp', '-q', goal, artifact, '-DoutputDirectory=archive'], { cwd: work });
    await mkdir(join(work, 'registry'));
    const archive = join('archive', `apicurio-registry-app-${version}-all.tar.gz`);
    await run('tar', ['-xzf', archive, '-C', 'registry'], { cwd: work });
    return 'registry';
  });
}

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>millrace</groupId>
  <artifactId>schema-registry-for-tests</artifactId>
  <version>1</version>
</project>
`;
