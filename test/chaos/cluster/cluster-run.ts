import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api } from '../../support/api.ts';
import { seededRandom } from '../random.ts';
import { caughtUp, delivered } from './catch-up.ts';
import { chaosShop, createChaosShop, sinkPath } from './chaos-shop.ts';
import { Crew } from './crew.ts';
import type { Fault } from './fault.ts';
import { inject } from './inject.ts';
import { Operator } from './operator.ts';
import { planFaults } from './plan-faults.ts';
import { startChaosServers, type ChaosServers } from './servers.ts';
import { storm } from './storm.ts';
import { startTwoDoorsSender, type TwoDoorsSender } from './two-doors-sender.ts';
import { verifyCluster, type ClusterVerdict } from './verify-cluster.ts';

export interface ClusterRunOptions {
  readonly seed: number;
  readonly kills: number;
  /** Roles of a process; two processes are started for each entry. */
  readonly spread: readonly string[];
  readonly say: (line: string) => void;
}

export interface ClusterReport extends ClusterVerdict {
  readonly seed: number;
  /** Faults by what they did. */
  readonly faults: Readonly<Record<string, number>>;
  readonly changesOfConfiguration: number;
  /** Events that each ingest process acknowledged. */
  readonly byDoor: readonly number[];
  readonly startsGivenUp: number;
  readonly seconds: number;
}

/** The shortest that is not shorter than the pauses of a busy machine. */
const sessionTimeoutMs = 3000;
const calmEvery = 20;

/**
 * D2, D3, D4 on a cluster: everything that runs is killed, frozen and cut off, a client posts numbered events and never one
 * again, an operator changes the configuration; then the tables are compared with what was acknowledged. Throws when
 * anything is lost, double or invented, when it does not get going within two minutes once nothing is wrong any more, and
 * when a process ends by itself; the message says where logs and documents are.
 */
export async function clusterRun(options: ClusterRunOptions): Promise<ClusterReport> {
  const folder = await mkdtemp(join(tmpdir(), `millrace-chaos-cluster-${options.seed}-`));
  await using stack = new AsyncDisposableStack();
  const servers = stack.use(await startChaosServers(folder, sessionTimeoutMs));
  const crew = await Crew.gather({ ...options, servers, folder });
  stack.defer(() => crew.killAll());
  try {
    const report = await runThrough(options, { servers, crew });
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    return report;
  } catch (thrown) {
    await crew.keepMetrics().catch(() => undefined);
    const documents = await servers.documents().catch(String);
    await writeFile(join(folder, 'documents.json'), JSON.stringify(documents, undefined, 1));
    throw new Error(`seed ${options.seed}: ${messageOf(thrown)}\nlogs and last documents: ${folder}`, {
      cause: thrown,
    });
  }
}

interface Stage {
  readonly servers: ChaosServers;
  readonly crew: Crew;
}

async function runThrough(
  { seed, kills, spread, say }: ClusterRunOptions,
  { servers, crew }: Stage,
): Promise<ClusterReport> {
  const startedAt = performance.now();
  await crew.start();
  const apis = crew.apis();
  const [api] = apis;
  if (api === undefined) throw new Error('no process has the role admin');
  const ingestPath = await createChaosShop(api);
  const sender = startTwoDoorsSender({
    doors: crew.doors().map((door) => door + ingestPath),
    connections: 3,
    pauseMs: 15,
  });
  const random = seededRandom(seed + 1);
  const visitors = spread.map((roles) => roles.replace(/(^|,)(ingest|admin)\b/g, '').replace(/^,/, '')).filter(Boolean);
  const plan = planFaults({ seed, kills, members: [...crew.members.keys()], sessionTimeoutMs, visitors });
  const operator = new Operator({
    apis,
    switched: sinkPath(chaosShop.switched.sinkId),
    changeMapping: { path: sinkPath('sink-2'), bodies: chaosShop.mappings },
    random: seededRandom(seed + 2),
    say,
  });
  await storm({
    plan,
    random,
    calmEvery,
    say,
    failed: crew.failed,
    inject: (fault) => inject(fault, { servers, members: crew.members, visitor: (roles) => crew.visitor(roles) }),
    work: (signal) => operator.run(signal),
    calm: async () => {
      await operator.settle();
      await caughtUp(api, sender);
      say(`it goes on: ${sender.oracle.acknowledged.size} events acknowledged`);
    },
  });
  const verdict = await judge(api, { sender, operator });
  say('everything is there once; the processes leave');
  await crew.leave();
  return {
    ...verdict,
    seed,
    faults: countFaults(plan),
    changesOfConfiguration: operator.changes,
    byDoor: sender.byDoor,
    startsGivenUp: crew.startsGivenUp,
    seconds: Math.round((performance.now() - startedAt) / 1000),
  };
}

interface Play {
  readonly sender: TwoDoorsSender;
  readonly operator: Operator;
}

async function judge(api: Api, { sender, operator }: Play): Promise<ClusterVerdict> {
  await sender.stop();
  operator.close();
  await delivered(api);
  return verifyCluster({
    api,
    source: chaosShop.path,
    tables: chaosShop.tables,
    switched: { ...chaosShop.switched, periods: operator.periods },
    oracle: sender.oracle,
  });
}

function countFaults(plan: readonly Fault[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const fault of plan) {
    const name = 'server' in fault ? `${fault.kind} ${fault.server}` : fault.kind;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause === undefined ? thrown.message : `${thrown.message}: ${messageOf(thrown.cause)}`;
}
