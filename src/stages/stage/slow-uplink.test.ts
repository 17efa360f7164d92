import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DeliveryWorld, never, source } from '../../../test/support/faults/delivery-world.ts';
import { ownEverything } from '../../../test/support/own-everything.ts';
import { SlowLine } from '../../../test/support/slow-line.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { progressId } from '../../documents/document-id.ts';
import { defaultBranch, parseIncarnation, parseSinkId, parseSourceId } from '../../core/ids.ts';
import { encodeOutcome } from '../../core/outcome.ts';
import { beginProgress, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { sinkTopic } from '../../core/topic-name.ts';
import { Collector } from '../import/collector.ts';
import { Configuration } from '../replica/configuration.ts';
import { StatusBoard } from '../status/status-board.ts';
import { RetryPacing } from '../../core/retry-pacing.ts';
import { StageService } from './stage-service.ts';

const sinks = 1000;
/** Bytes of what each of them has to upload, and of the line in a second: all of it takes nearly two hours. */
const backlogBytes = 12_800;
const bytesPerSecond = 2000;

let world: DeliveryWorld;
let folder: string;
let line: SlowLine;

beforeEach(async () => {
  world = await DeliveryWorld.open();
  folder = await mkdtemp(join(tmpdir(), 'millrace-uplink-'));
  line = new SlowLine(world.ports.objects, { clock: world.clock, bytesPerSecond });
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A sink whose topic holds a row and a dead letter that are not staged yet. */
async function addSinkWithBacklog(number: number): Promise<void> {
  const { catalog, sinkLog } = world.ports;
  const incarnation = parseIncarnation(number);
  const sinkId = parseSinkId(`sink-${number}`);
  const key = { branchId: defaultBranch, sourceId: parseSourceId('shop'), sinkId };
  const topic = sinkTopic(key, incarnation);
  const { identity } = await sinkLog.createTopic({ name: topic, partitions: 1 }, never);
  const topics = { source, sourceIdentity: 'of the test', sink: topic, sinkIdentity: identity };
  const value = beginProgress({ key, incarnation, topics, mappingVersion: 1, starts: new Map([[0, 0]]), at: 0 });
  await catalog.compareAndSet(
    { collection: 'progress', id: progressId(incarnation), expected: undefined, value },
    never,
  );
  const records = (['row', 'dead'] as const).map((kind, at) => {
    const text = Buffer.from(`"${'x'.repeat(backlogBytes / 2 - 3)}"\n`);
    const value = encodeOutcome({ kind, from: at - 1, to: at, mappingVersion: 1, arrivedAt: 1, line: text });
    return { value, headers: [], timestamp: 1 };
  });
  await sinkLog.append({ topic, partition: 0 }, records, never);
}

async function documents(): Promise<readonly SinkProgress[]> {
  const found = await world.ports.catalog.list({ collection: 'progress', prefix: '' }, never);
  return found.map(({ value }) => progressDocuments.parse(value));
}

it('D2, D8: a thousand sinks that catch up over a slow uplink are staged, each uploaded once, beside the clean-up', async () => {
  await Promise.all(Array.from({ length: sinks }, (_, index) => addSinkWithBacklog(index + 1)));
  const { catalog } = world.ports;
  const configuration = new Configuration({ catalog, onInvalid: (_, error) => expect.fail(String(error)) });
  await configuration.load(never);
  const told: string[] = [];
  const { clock } = world;
  let made = 0;
  const sealed = { count: 0 };
  const service = new StageService({
    ...world.ports,
    objects: line.store,
    configuration,
    folder,
    clock,
    unique: () => String((made += 1)),
    status: new StatusBoard({
      catalog,
      clock,
      role: 'stage',
      member: 'test',
      observer: { sinkFailed: ({ code }) => void told.push(code), sinkHealed: () => void told.push('healed') },
    }),
    observer: {
      sliceSealed: () => void (sealed.count += 1),
      topicTorn: () => undefined,
      uploadsWait: () => undefined,
      holesFound: () => undefined,
    },
    retry: new RetryPacing({ firstMs: 200, capMs: 30_000 }, () => 0.5),
    member: 'test',
    pollBytes: 1024 * 1024,
  });
  const observer = { objectsCollected: () => undefined };
  const collector = new Collector({ ...world.ports, ownership: ownEverything, clock, observer });
  const running = service.run(never.signal);
  const began = clock.monotonic();
  let collectAt = began;
  const isOver = (): boolean => sealed.count >= sinks || clock.monotonic() > began + 12 * 3_600_000;
  while (!isOver()) {
    clock.advance(5000);
    line.move();
    if (clock.monotonic() >= collectAt) {
      collectAt = clock.monotonic() + 300_000;
      await collector.collect(never);
    }
    for (let turns = 0; turns < 3 || line.arriving > 0; turns += 1) await turn();
  }
  expect(sealed.count).toBe(sinks);
  expect((await documents()).flatMap(({ staged }) => staged)).toHaveLength(sinks);
  expect(line.begun, 'uploads of rows and of dead letters').toBe(2 * sinks);
  expect(line.mostAtOnce, 'uploads side by side').toBeLessThanOrEqual(32);
  expect(told.filter((code) => code !== 'stage.slow' && code !== 'healed')).toEqual([]);
  expect(told.filter((code) => code === 'healed').length).toBeGreaterThan(0);
  await service.drain();
  await running;
  expect(await world.statuses()).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});
