import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Role } from '../../config/topology/role.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { MissingServer } from '../../core/missing-servers.ts';
import { ServerWatch } from '../../stages/servers/server-watch.ts';
import { observeServers } from '../../telemetry/observe-servers.ts';
import { observeAppends } from '../../telemetry/observe-appends.ts';
import { SecretKeys } from '../../secrets/secret-keys.ts';
import { createTelemetry } from '../../telemetry/create-telemetry.ts';
import { compose, type Composed } from '../composition/compose.ts';
import type { Platform, PlatformContext, PlatformParts } from '../composition/platform.ts';
import { noHindrances } from '../composition/source-hindrances.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Decorate } from '../composition/ports.ts';
import { threadEntry } from '../composition/thread-service.ts';
import { Breakdown } from '../breakdown.ts';
import type { Running, StartOptions } from '../product.ts';
import { runningOf } from '../running.ts';
import { storesOf } from '../stores/stores.ts';
import { systemClock } from '../system-clock.ts';
import { unique } from '../unique.ts';
import { openClusterPorts } from './cluster-ports.ts';
import { explainedStart } from './explained-start.ts';
import { limits } from '../../core/limits.ts';
import { makeLocalFolder } from './local-folder.ts';
import { watchedServers } from './watched-servers.ts';
import { startPatiently } from './start-patiently.ts';

export interface ClusterOptions extends Required<StartOptions> {
  /** For tests that kill the process at a named point. */
  readonly decorate?: Decorate;
  readonly threadEntry?: URL;
}

/** An import mostly waits for a server elsewhere. */
const remoteImports = 8;

/** Longer than a process takes that lives to say so, also when the catalog was away for some seconds. */
const jobTakeOverMs = 12_000;

const needTables: readonly Role[] = ['import', 'work', 'admin'];

/**
 * Starts the roles of this process on the servers of the topology; waits for those that are away, until the signal is aborted.
 * Rejects with a MillraceError that says what is wrong, and leaves nothing behind that runs.
 */
export async function startCluster(options: ClusterOptions): Promise<Running> {
  const { config, topology, signal } = options;
  const roles = new Set(topology.value.roles);
  const rootTokenHash = hashOf(config, roles);
  await using stack = new AsyncDisposableStack();
  const { path: localFolder } = stack.use(await makeLocalFolder(join(config.dataDir, 'local'), unique()));
  const starting = startPatiently({
    attempt: (listening) => startOnce(options, { roles, rootTokenHash, localFolder, listening }),
    place: roles.has('admin') ? config.admin : config.ops,
    telemetry: createTelemetry({ main: true, level: config.logLevel, role: 'main' }),
    clock: systemClock,
    random: Math.random,
    signal,
  });
  const composed = await explainedStart(starting);
  stack.use(composed);
  return runningOf(composed, { stack: stack.move(), drainTimeoutMs: config.drainTimeoutMs });
}

interface Attempt {
  readonly roles: ReadonlySet<Role>;
  readonly rootTokenHash: string;
  readonly localFolder: string;
  readonly listening: () => Promise<void>;
}

/** Opens the ports and composes the parts on them; closes everything again when one fails. */
async function startOnce(
  { config, topology, signal, ...options }: ClusterOptions,
  { roles, rootTokenHash, localFolder, listening }: Attempt,
): Promise<Composed> {
  const instance = `${hostname()}-${process.pid}`;
  const clientId = `millrace-${instance}`;
  const telemetry = createTelemetry({ main: true, level: config.logLevel, role: 'main' });
  const appends = observeAppends(telemetry);
  await using stack = new AsyncDisposableStack();
  const opening = { clientId, tempDir: localFolder, appends, signal };
  const ports = await openClusterPorts(topology.value, opening, stack);
  const needsTables = needTables.some((role) => roles.has(role));
  const tables = needsTables ? await storesOf(topology.value).tables.open(opening) : undefined;
  stack.use(tables?.store);
  const watchOf = (context: PlatformContext): ServerWatch =>
    new ServerWatch({
      servers: watchedServers({
        topology: topology.value,
        roles,
        ports: context.ports,
        tables: tables?.store,
        clientId,
        tempDir: localFolder,
      }),
      catalog: context.ports.catalog,
      clock: systemClock,
      observer: observeServers(telemetry),
      member: instance,
    });
  const platform: Platform = {
    spec: { kind: 'cluster', topology: { path: topology.path, text: topology.text }, clientId, localFolder },
    roles,
    instance,
    localFolder,
    ports,
    tables: tables?.store,
    importsAtOnce: Math.min(remoteImports, tables?.mostImports ?? remoteImports),
    othersLagMs: limits.configurationLagMs,
    jobTakeOverMs,
    start: (context, starting) => startParts(context, { watch: watchOf(context), roles, signal: starting }),
  };
  await listening();
  const composed = stack.use(
    await compose({
      config,
      telemetry,
      breakdown: new Breakdown(),
      platform,
      rootTokenHash,
      secretKeys: new SecretKeys((config.encryptionKeys ?? []).map((key) => key.reveal())),
      decorate: options.decorate ?? ((opened) => opened),
      threadEntry: options.threadEntry ?? threadEntry,
    }),
  );
  const held = stack.move();
  return { ...composed, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

interface StartingParts extends Waiting {
  readonly watch: ServerWatch;
  readonly roles: ReadonlySet<Role>;
}

/** The brokers keep the records of sources; what may be missing are the servers themselves. */
async function startParts({ ports }: PlatformContext, { watch, roles, signal }: StartingParts): Promise<PlatformParts> {
  await watch.begin({ signal });
  return {
    rounds: [{ id: 'servers', everyMs: 5000, round: (waiting) => watch.look(waiting) }],
    // What its other roles lack is no reason to take a process that takes events out of the load balancer.
    unready: () => watch.missing(roles.has('ingest') ? ['ingest'] : undefined).map(describeMissing),
    limitsOf: ({ topic }, _, waiting) => ports.sourceLog.removal(topic, waiting),
    hindrances: () => noHindrances,
    listen: () => undefined,
  };
}

function describeMissing({ server, roles, message, since }: MissingServer): string {
  return `"${server}" does not serve ${roles.join(', ')} since ${since}: ${message}`;
}

/** All processes know the same root token: none is made up. */
function hashOf({ rootToken }: Config, roles: ReadonlySet<Role>): string {
  if (rootToken !== undefined) return createHash('sha256').update(rootToken.reveal()).digest('hex');
  if (!roles.has('admin')) return '';
  throw new MillraceError(
    'config.invalid',
    'MILLRACE_ROOT_TOKEN: must be set in a process of a cluster with the role admin, to the same in all of them',
  );
}
