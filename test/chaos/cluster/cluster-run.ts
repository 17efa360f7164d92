import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { numberHeader } from '../event.ts';
import { JobPlayer } from '../jobs/job-player.ts';
import type { JobsVerdict } from '../jobs/verify-jobs.ts';
import { Mender, type MendedLetters } from '../mender.ts';
import { Operator } from '../operator.ts';
import { seededRandom } from '../random.ts';
import { startSender, type Sender } from '../sender.ts';
import { createChaosShop } from '../shop.ts';
import { SumWatch } from '../sum-watch.ts';
import { verifyTables, type Verdict } from '../verify.ts';
import { caughtUp, delivered, movedOn } from './catch-up.ts';
import { Crew } from './crew.ts';
import { faultNames, nameOfFault, type FaultName } from './fault.ts';
import { inject } from './inject.ts';
import { planFaults } from './plan-faults.ts';
import { startChaosServers, type ChaosServers } from './servers.ts';
import { storm } from './storm.ts';
import { startTopicWitness, type TopicWitness } from './topic-witness.ts';
import { startTransactingProducer, type Transactions } from './transacting-producer.ts';

export interface ClusterRunOptions {
  readonly seed: number;
  readonly kills: number;
  /** Roles of a process; two processes are started for each entry. */
  readonly spread: readonly string[];
  /** Kinds of faults that happen. Default: all. */
  readonly kinds?: readonly FaultName[];
  /** Between two events of a connection. Default: 15. */
  readonly pauseMs?: number;
  readonly say: (line: string) => void;
}

export interface ClusterReport extends Verdict {
  readonly seed: number;
  /** Faults that happened and were healed. */
  readonly faults: Readonly<Record<FaultName, number>>;
  readonly jobs: JobsVerdict;
  readonly mended: MendedLetters;
  /** How often the sum of D4 was seen meanwhile. */
  readonly looks: number;
  readonly changesOfConfiguration: number;
  /** Events that each ingest process, and the producer, acknowledged. */
  readonly taken: Readonly<Record<string, number>>;
  readonly transactions: Transactions;
  readonly startsGivenUp: number;
  readonly seconds: number;
}

/** The shortest that is not shorter than the pauses of a busy machine. */
const sessionTimeoutMs = 3000;
const calmEvery = 20;
/** Of the topic of the source. */
const partitions = 4;

/**
 * D2, D3, D4 on a cluster: everything that runs is killed, frozen and cut off, clients post numbered events and a
 * producer appends them in transactions, none of them twice, an operator changes the configuration, dead letters are
 * replayed, jobs run; then the tables are compared with what was acknowledged and with the jobs that succeeded. Throws
 * when anything is lost, double or invented, when it does not get going within two minutes once nothing is wrong any
 * more, when a process ends by itself, and when a kind of fault is not reached that is asked for; the message says where logs and
 * documents are.
 */
export async function clusterRun(options: ClusterRunOptions): Promise<ClusterReport> {
  const folder = await mkdtemp(join(tmpdir(), `millrace-chaos-cluster-${options.seed}-`));
  await using stack = new AsyncDisposableStack();
  const servers = stack.use(await startChaosServers(folder, sessionTimeoutMs));
  const crew = await Crew.gather({ ...options, servers, folder, partitions });
  stack.defer(() => crew.killAll());
  try {
    const report = await runThrough(options, { servers, crew });
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    return report;
  } catch (thrown) {
    await crew.keepMetrics().catch(() => undefined);
    await servers.kafka.keepData(join(folder, 'brokers')).catch(() => undefined);
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
  { seed, kills, spread, kinds = faultNames, pauseMs = 15, say }: ClusterRunOptions,
  { servers, crew }: Stage,
): Promise<ClusterReport> {
  const startedAt = performance.now();
  await crew.start();
  const apis = crew.apis();
  const [api] = apis;
  if (api === undefined) throw new Error('no process has the role admin');
  const ingestPath = await createChaosShop(api);
  await using producer = await startTransactingProducer({
    brokers: servers.kafka.brokers,
    partitions,
    random: seededRandom(seed + 3),
  });
  await using witness = await startTopicWitness({ brokers: servers.kafka.brokers, partitions, header: numberHeader });
  const sender = startSender({
    urls: Object.fromEntries([...crew.doors()].map(([name, door]) => [name, door + ingestPath])),
    produce: producer.send,
    connections: 3,
    producers: 24,
    pauseMs,
  });
  await using player = await JobPlayer.start({ apis: () => apis, pauseMs: 1000 });
  const random = seededRandom(seed + 1);
  const visitors = spread.map((roles) => roles.replace(/(^|,)(ingest|admin)\b/g, '').replace(/^,/, '')).filter(Boolean);
  const plan = planFaults({ seed, kills, kinds, members: [...crew.members.keys()], sessionTimeoutMs, visitors });
  const operator = new Operator({
    apis: () => apis,
    random: seededRandom(seed + 2),
    pauseMs: [2000, 6000],
    say,
    waitsForCalm: true,
    stableEnds: () => witness.stableEnds(),
  });
  const mender = new Mender({ apis: () => apis, random: seededRandom(seed + 4), pauseMs: [500, 3000] });
  const watch = new SumWatch({ apis: () => apis, pauseMs: 500 });
  const faults = Object.fromEntries(faultNames.map((name) => [name, 0])) as Record<FaultName, number>;
  await storm({
    plan,
    random,
    calmEvery,
    say,
    failed: crew.failed,
    inject: async (fault) => {
      await inject(fault, { servers, members: crew.members, visitor: (roles) => crew.visitor(roles) });
      faults[nameOfFault(fault)] += 1;
    },
    work: async (signal) => {
      await Promise.all([operator, mender, watch].map((one) => one.run(signal)));
    },
    calm: async () => {
      await operator.settle();
      say('nothing is wrong, and every sink is back');
      await caughtUp(api, sender);
      say(`it goes on: ${sender.oracle.acknowledged.size} events acknowledged`);
    },
  });
  requireEach(kinds, faults);
  await operator.takeAwayOnce(() => movedOn(sender, witness));
  await mender.breakOnce();
  await allSeen({ transactions: producer.transactions, player });
  const [verdict, jobs] = await Promise.all([judge(api, { sender, operator, mender, witness }), player.judge()]);
  say('everything is there once; the processes leave');
  await crew.leave();
  return {
    ...verdict,
    jobs,
    mended: mender.letters,
    looks: watch.looks,
    seed,
    faults,
    changesOfConfiguration: operator.changes,
    taken: sender.taken,
    transactions: producer.transactions,
    startsGivenUp: crew.startsGivenUp,
    seconds: Math.round((performance.now() - startedAt) / 1000),
  };
}

interface Play {
  readonly sender: Sender;
  readonly operator: Operator;
  readonly mender: Mender;
  readonly witness: TopicWitness;
}

async function judge(api: Api, { sender, operator, mender, witness }: Play): Promise<Verdict> {
  const oracle = await sender.stop();
  operator.close();
  await delivered(api);
  await mender.settle();
  const places = await witness.read();
  const verdict = await verifyTables({ api, oracle, places, periods: operator.periods, mayHaveNone: true });
  const doubted = Object.entries(verdict.certain).filter(([, { inside, outside }]) => inside === 0 || outside === 0);
  if (doubted.length > 0) throw new Error(`nothing is certain of sinks that came and went: ${JSON.stringify(doubted)}`);
  return verdict;
}

/** Resolves when each kind of transaction has happened and a job has ended: a busy machine may not come to it while things go wrong. */
async function allSeen({ transactions, player }: { readonly transactions: Transactions; readonly player: JobPlayer }) {
  await eventually(
    () => {
      const { committed, aborted, heldOpen } = transactions;
      const counts = Object.entries({ committed, aborted, heldOpen, jobs: player.seen });
      const missing = counts.filter(([, count]) => count === 0);
      if (missing.length > 0) throw new Error(`never seen: ${missing.map(([what]) => what).join(', ')}`);
    },
    { withinMs: 120_000 },
  );
}

function requireEach(kinds: readonly FaultName[], faults: Readonly<Record<FaultName, number>>): void {
  const missed = kinds.filter((name) => faults[name] === 0);
  if (missed.length > 0) throw new Error(`never reached: ${missed.join(', ')}`);
}

function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause === undefined ? thrown.message : `${thrown.message}: ${messageOf(thrown.cause)}`;
}
