import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { crashPoints, type CrashPoint } from './crash-points.ts';
import { Operator } from './operator.ts';
import type { Defect } from './planted.ts';
import { throughProducerDoor } from './producer-door.ts';
import type { Lost } from './power/power-cut.ts';
import { seededRandom } from './random.ts';
import { startSender, type Sender } from './sender.ts';
import { chaosSinks, createChaosShop, sinkPath } from './shop.ts';
import { verifyTables, type Verdict } from './verify.ts';
import { VictimProcess, type Death } from './victim-process.ts';

export interface CrashRunOptions {
  readonly seed: number;
  /** At least as many as there are named points: each of them is reached, the rest is random. */
  readonly kills: number;
  readonly connections: number;
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
  readonly changesOfConfiguration: number;
  /** Changes of files that the disk forgot, and that it kept though they were not synced. */
  readonly disk: Lost;
}

/** On a busy machine. */
const takesEventsWithinMs = 120_000;
/** So many events pass while a sink is away at the end. */
const eventsAway = 50;

/**
 * D2, D3, D4 under SIGKILL: clients send numbered events without pause, an operator changes sinks, two mappers and two readers share
 * the partitions; the process is killed again and again, at random moments and at every named point; then all tables are compared with
 * what was acknowledged. Throws when anything is lost, double, altered or invented, when a number or an alarm is wrong, and when
 * a point is not reached.
 */
export async function crashRun({ seed, kills, connections, say, ...how }: CrashRunOptions): Promise<CrashReport> {
  const random = seededRandom(seed);
  await using victim = await VictimProcess.prepare({ ...how, random: seededRandom(seed + 2) });
  try {
    await victim.start();
    const path = await createChaosShop(victim.api);
    const sender = startSender({
      urls: { ingest: victim.ingest + path },
      produce: throughProducerDoor(victim.producerPort),
      connections,
      pauseMs: 5,
    });
    const operator = new Operator({
      apis: () => [victim.api],
      random: seededRandom(seed + 1),
      pauseMs: [50, 800],
      say: () => undefined,
    });
    const working = new AbortController();
    const worked = operator.run(working.signal);
    const byPoint = noKills();
    const deaths = planDeaths(kills, random);
    for (const [index, death] of deaths.entries()) {
      await Promise.race([victim.die(death), worked]);
      const name = death.point ?? 'random';
      byPoint[name] += 1;
      const from = sender.oracle.acknowledged.size;
      await victim.start(deaths[index + 1]);
      say(`kill ${index + 1} of ${kills}: ${name}; ${sender.oracle.acknowledged.size} events acknowledged`);
      await eventually(() => !victim.isUp || requireMore(sender, from), { withinMs: takesEventsWithinMs });
    }
    if (how.defect !== undefined) await eventually(() => requireMore(sender, 300), { withinMs: takesEventsWithinMs });
    working.abort();
    await worked;
    await operator.settle();
    await operator.takeAwayOnce(() => {
      const from = sender.oracle.acknowledged.size;
      return eventually(() => requireMore(sender, from + eventsAway), { withinMs: takesEventsWithinMs });
    });
    const oracle = await sender.stop();
    operator.close();
    await delivered(victim.api);
    const verdict = await verifyTables({ api: victim.api, oracle, periods: operator.periods });
    await victim.leave();
    return { ...verdict, seed, kills, byPoint, changesOfConfiguration: operator.changes, disk: victim.disk };
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
    'sink.begin': 0,
    'sink.switch': 0,
    'sink.purge': 0,
    random: 0,
  };
}

/** Every named point at least once, each as often as the others, among random moments. */
function planDeaths(kills: number, random: () => number): readonly Death[] {
  if (kills === 0) return [];
  if (kills < crashPoints.length) throw new Error(`at least ${crashPoints.length} kills: each point is reached`);
  const rounds = Math.max(1, Math.floor(kills / (4 * crashPoints.length)));
  const points: (CrashPoint | undefined)[] = Array.from({ length: rounds }, () => crashPoints).flat();
  while (points.length < kills) points.push(undefined);
  const keyed = points.map((point) => ({ point, fraction: random(), key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ point, fraction }) => ({ point, fraction }));
}

function requireMore({ oracle, lastAnswers }: Sender, than: number): void {
  if (oracle.acknowledged.size <= than) throw new Error(`no event is taken: ${JSON.stringify(lastAnswers)}`);
}

/** Flushes every sink until nothing of it waits. */
async function delivered(api: Api): Promise<void> {
  for (const { sinkId } of chaosSinks) {
    await api.task('POST', `${sinkPath(sinkId)}/flush`);
    await eventually(
      async () => {
        const progress = await api.call<{ delivered: boolean; errors: unknown }>('GET', `${sinkPath(sinkId)}/progress`);
        if (!progress.delivered) throw new Error(`sink "${sinkId}" is not delivered: ${JSON.stringify(progress)}`);
      },
      { withinMs: 60_000, everyMs: 100 },
    );
  }
}
