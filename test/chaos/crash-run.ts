import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { crashPoints, type CrashPoint } from './crash-points.ts';
import { deliverAll } from './deliver-all.ts';
import { Operator } from './operator.ts';
import { Mender, type MendedLetters } from './mender.ts';
import { SumWatch } from './sum-watch.ts';
import { JobPlayer } from './jobs/job-player.ts';
import type { JobsVerdict } from './jobs/verify-jobs.ts';
import type { Defect } from './planted.ts';
import { otlpFaces, startOtlpSender, type OtlpFace, type OtlpSender } from './otlp/otlp-sender.ts';
import { createTelemetry, telemetrySinkPath, telemetrySinks } from './otlp/telemetry.ts';
import { verifyTelemetry, type TelemetryVerdict } from './otlp/verify-telemetry.ts';
import { throughProducerDoor } from './producer-door.ts';
import type { Lost } from './power/power-cut.ts';
import { seededRandom } from './random.ts';
import { startSender, type Sender } from './sender.ts';
import { chaosSinks, createChaosShop, sinkPath } from './shop.ts';
import { verifyTables, type Verdict } from './verify.ts';
import { VictimProcess, type Death } from './victim-process.ts';

export interface CrashRunOptions {
  readonly seed: number;
  /** At least as many as there are points: each of them is reached, the rest is random. */
  readonly kills: number;
  /** Default: all that have a name. */
  readonly points?: readonly CrashPoint[];
  readonly connections: number;
  /** Between two events of a connection; the longer, the rarer are jobs and requests of OpenTelemetry, too. Default: 5. */
  readonly pauseMs?: number;
  readonly say: (line: string) => void;
  /** Something that the product does wrong, to see that it is noticed. */
  readonly defect?: Defect;
  /** With each kill the disk forgets what was not synced. */
  readonly cutsPower?: boolean;
}

export interface CrashReport extends Verdict {
  readonly seed: number;
  readonly kills: number;
  /** Kills at each named point, and at random moments. */
  readonly byPoint: Readonly<Record<CrashPoint | 'random', number>>;
  /** Requests of OpenTelemetry. `byFace`: how many each face has acknowledged. */
  readonly otlp: TelemetryVerdict & { readonly byFace: Readonly<Record<OtlpFace, number>> };
  readonly jobs: JobsVerdict;
  readonly mended: MendedLetters;
  /** How often the sum of D4 was seen meanwhile. */
  readonly looks: number;
  readonly changesOfConfiguration: number;
  /** Changes of files that the disk forgot, and that it kept though they were not synced. */
  readonly disk: Lost;
}

/** On a busy machine. */
const takesEventsWithinMs = 120_000;
const enoughOtlp = { 'HTTP in protobuf': 20, 'HTTP in JSON': 20, gRPC: 20 };
/** So many events pass while a sink is away at the end. */
const eventsAway = 50;

/**
 * D2, D3, D4 under SIGKILL: clients send numbered events without pause, as JSON and as OpenTelemetry over HTTP and gRPC, an
 * operator changes sinks, dead letters are replayed, jobs run, two mappers and two readers share the partitions; the process is
 * killed again and again, at random moments and at named points; then all tables are compared with what was acknowledged. Throws when
 * anything is lost, double, altered or invented, when a number or an alarm is wrong, and when a point is not reached.
 */
export async function crashRun({
  seed,
  kills,
  points = crashPoints,
  connections,
  pauseMs = 5,
  say,
  ...how
}: CrashRunOptions): Promise<CrashReport> {
  const random = seededRandom(seed);
  await using victim = await VictimProcess.prepare({ ...how, random: seededRandom(seed + 2) });
  /** What would go on for ever after a failure, and keep the process from ending. */
  await using stopping = new AsyncDisposableStack();
  try {
    await victim.start();
    const path = await createChaosShop(victim.api);
    const telemetry = await createTelemetry(victim.api);
    const sender = startSender({
      urls: { ingest: victim.ingest + path },
      produce: throughProducerDoor(victim.producerPort),
      connections,
      pauseMs,
    });
    stopping.defer(async () => void (await sender.stop()));
    const otlpSender = startOtlpSender({
      url: victim.ingest + telemetry.path,
      secret: telemetry.secret,
      grpcPort: victim.otlpGrpcPort,
      pauseMs: Math.max(50, 2 * pauseMs),
    });
    stopping.defer(async () => void (await otlpSender.stop()));
    const player = await JobPlayer.start({ apis: () => [victim.api], pauseMs: Math.max(300, 20 * pauseMs) });
    stopping.use(player);
    const operator = new Operator({
      apis: () => [victim.api],
      random: seededRandom(seed + 1),
      pauseMs: [50, 800],
      say: () => undefined,
    });
    const apis = (): readonly Api[] => [victim.api];
    const mender = new Mender({ apis, random: seededRandom(seed + 3), pauseMs: [200, 800] });
    const watch = new SumWatch({ apis, pauseMs: 200 });
    const working = new AbortController();
    stopping.defer(() => working.abort());
    const worked = Promise.all([operator, mender, watch].map((one) => one.run(working.signal)));
    worked.catch(() => undefined);
    const byPoint = noKills();
    const deaths = planDeaths({ kills, points }, random);
    for (const [index, death] of deaths.entries()) {
      await Promise.race([victim.die(death), worked]);
      const name = death.point ?? 'random';
      byPoint[name] += 1;
      const from = sender.oracle.acknowledged.size;
      const otlpFrom = { ...otlpSender.acknowledged };
      await victim.start(deaths[index + 1]);
      say(`kill ${index + 1} of ${kills}: ${name}; ${sender.oracle.acknowledged.size} events acknowledged`);
      const takesAgain = (): void => {
        requireMore(sender, from);
        requireMoreOtlp(otlpSender, otlpFrom);
      };
      await eventually(() => !victim.isUp || takesAgain(), { withinMs: takesEventsWithinMs });
    }
    if (how.defect !== undefined) {
      await eventually(() => requireMore(sender, 300), { withinMs: takesEventsWithinMs });
      await eventually(() => requireJobs(player, 12), { withinMs: takesEventsWithinMs });
    }
    // A short run, or one on a busy machine, may come to its end before these.
    await eventually(() => requireReplayed(mender), { withinMs: takesEventsWithinMs });
    await eventually(() => requireMoreOtlp(otlpSender, enoughOtlp), { withinMs: takesEventsWithinMs });
    await eventually(() => requireLooks(watch, kills), { withinMs: takesEventsWithinMs });
    working.abort();
    await worked;
    await operator.settle();
    await operator.takeAwayOnce(() => {
      const from = sender.oracle.acknowledged.size;
      return eventually(() => requireMore(sender, from + eventsAway), { withinMs: takesEventsWithinMs });
    });
    const [oracle, told, jobs] = await Promise.all([sender.stop(), otlpSender.stop(), player.judge()]);
    operator.close();
    await deliverAll(victim.api, [
      ...chaosSinks.map(({ sinkId }) => sinkPath(sinkId)),
      ...telemetrySinks.map(telemetrySinkPath),
    ]);
    const mended = await mender.settle();
    const verdict = await verifyTables({ api: victim.api, oracle, periods: operator.periods });
    const otlp = { ...(await verifyTelemetry(victim.api, told)), byFace: otlpSender.acknowledged };
    await victim.leave();
    return {
      ...verdict,
      otlp,
      jobs,
      mended,
      looks: watch.looks,
      seed,
      kills,
      byPoint,
      changesOfConfiguration: operator.changes,
      disk: victim.disk,
    };
  } catch (thrown) {
    const said = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(`seed ${seed}: ${said}\n${victim.said()}`, { cause: thrown });
  }
}

function noKills(): Record<CrashPoint | 'random', number> {
  return {
    'log.commit': 0,
    'sink.commit': 0,
    'upload.seal': 0,
    'seal.import': 0,
    'import.load': 0,
    'import.forget': 0,
    'replay.load': 0,
    'replay.forget': 0,
    'sink.begin': 0,
    'sink.switch': 0,
    'sink.purge': 0,
    'job.run': 0,
    'job.load': 0,
    'job.keep': 0,
    'job.end': 0,
    random: 0,
  };
}

/** Every point at least once, each as often as the others, among random moments. */
function planDeaths(
  { kills, points }: { readonly kills: number; readonly points: readonly CrashPoint[] },
  random: () => number,
): readonly Death[] {
  if (kills === 0) return [];
  if (kills < points.length) throw new Error(`at least ${points.length} kills: each point is reached`);
  const rounds = Math.max(1, Math.floor(kills / (4 * points.length)));
  const deaths: (CrashPoint | undefined)[] = Array.from({ length: rounds }, () => points).flat();
  while (deaths.length < kills) deaths.push(undefined);
  const keyed = deaths.map((point) => ({ point, fraction: random(), key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ point, fraction }) => ({ point, fraction }));
}

function requireMore({ oracle, lastAnswers }: Sender, than: number): void {
  if (oracle.acknowledged.size <= than) throw new Error(`no event is taken: ${JSON.stringify(lastAnswers)}`);
}

function requireMoreOtlp({ acknowledged, lastAnswers }: OtlpSender, than: OtlpSender['acknowledged']): void {
  for (const face of otlpFaces)
    if (acknowledged[face] <= than[face]) throw new Error(`no request is taken over ${face}: ${lastAnswers[face]}`);
}

function requireReplayed({ letters }: Mender): void {
  if (letters.rows === 0) throw new Error('no dead letter was replayed');
}

function requireLooks({ looks }: SumWatch, kills: number): void {
  if (looks <= kills) throw new Error(`the sums were seen ${looks} times`);
}

function requireJobs({ seen }: JobPlayer, count: number): void {
  if (seen < count) throw new Error(`${seen} jobs have ended`);
}
