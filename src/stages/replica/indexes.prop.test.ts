import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import { defaultBranch, parseIncarnation, parseSinkId, parseSourceId, type SinkKey } from '../../core/ids.ts';
import { beginProgress, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { sinkTopic, sourceTopic } from '../../core/topic-name.ts';
import { progressId, sinkDocumentId, sourceDocumentId } from '../../documents/document-id.ts';
import { SinksByTopic } from '../map/sinks-by-topic.ts';
import { Configuration } from './configuration.ts';
import { SinksBySource } from './sinks-by-source.ts';

const never = { signal: new AbortController().signal };
const [sources, incarnations] = [2, 5];

const command = fc.record({
  kind: fc.constantFrom('write', 'write', 'remove', 'remove', 'spoil', 'newer', 'refresh', 'refresh', 'begin anew'),
  of: fc.integer({ min: 1, max: incarnations }),
});

function keyOf(number: number): SinkKey {
  const sourceId = parseSourceId(`source-${number % sources}`);
  return { branchId: defaultBranch, sourceId, sinkId: parseSinkId(`sink-${number % 2}`) };
}

function documentOf(number: number): SinkProgress {
  const [key, incarnation] = [keyOf(number), parseIncarnation(number)];
  const topics = {
    source: sourceTopic(key),
    sourceIdentity: 'one',
    sink: sinkTopic(key, incarnation),
    sinkIdentity: 'two',
  };
  return beginProgress({ key, incarnation, topics, mappingVersion: 1, starts: new Map([[0, 0]]), at: 0 });
}

it('D7: whatever comes, goes, cannot be read or is forgotten, the sinks of a source and of a topic are those that a look at all finds, and each change is told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-indexes-'));
  try {
    // So few removals stay known that a replica is often given the whole collection.
    await using catalog = await openLmdbCatalog({ path: folder, keptRemovals: 1 });
    const set = async (number: number, value: object | undefined): Promise<void> => {
      const id = progressId(parseIncarnation(number));
      const expected = (await catalog.get('progress', id, never))?.revision;
      if (value !== undefined) await catalog.compareAndSet({ collection: 'progress', id, expected, value }, never);
      else if (expected !== undefined) await catalog.remove('progress', id, expected, never);
    };
    const run = async (commands: readonly { readonly kind: string; readonly of: number }[]): Promise<void> => {
      const configuration = new Configuration({ catalog, onInvalid: () => undefined });
      const { progress } = configuration;
      let [bySource, byTopic] = [new SinksBySource(progress), new SinksByTopic(progress)];
      const [touched, topics, changed] = [new Set<number>(), new Set<string>(), new Set<number>()];
      const follow = (): readonly (() => void)[] => [
        bySource.follow((told) => told.forEach((one) => touched.add(one))),
        byTopic.follow((told) => told.forEach((one) => topics.add(one))),
      ];
      let ends = follow();
      progress.listen(({ written, removed }) => [...written, ...removed].forEach((id) => changed.add(Number(id))));
      let here: ReadonlySet<number> = new Set();
      const compare = (): void => {
        const all = [...progress.values()].map(({ value }) => value);
        for (let source = 0; source < sources; source += 1) {
          const key = keyOf(source);
          const expected = all.filter((one) => one.key.sourceId === key.sourceId).map((one) => one.incarnation);
          for (const id of [sourceDocumentId(key), sinkDocumentId(key)])
            expect([...bySource.of(id)].toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
          const found = byTopic.sinksOf(sourceTopic(key));
          expect(new Set(found)).toEqual(new Set(all.filter((one) => one.topics.source === sourceTopic(key))));
        }
        expect(byTopic.topics()).toEqual([...new Set(all.map((one) => one.topics.source))].toSorted());
        // Of one that was never known nothing is told.
        const missed = [...changed].filter(
          (one) => here.has(one) || all.some(({ incarnation }) => incarnation === one),
        );
        expect(missed.filter((one) => !touched.has(one))).toEqual([]);
        expect(missed.map((one) => sourceTopic(keyOf(one))).filter((one) => !topics.has(one))).toEqual([]);
        here = new Set(all.map(({ incarnation }) => incarnation));
        for (const told of [changed, touched, topics]) told.clear();
      };
      let [version, known] = [byTopic.version, byTopic.topics().join()];
      /** Other topics have another version. */
      const compareVersions = (): void => {
        expect(byTopic.topics().join() === known || byTopic.version !== version).toBe(true);
        [version, known] = [byTopic.version, byTopic.topics().join()];
      };
      for (const { kind, of } of commands) {
        if (kind === 'write') await set(of, documentOf(of));
        else if (kind === 'remove') await set(of, undefined);
        else if (kind === 'spoil') await set(of, { is: 'nothing' });
        else if (kind === 'newer') await set(of, { format: { version: 1e6, oldestWriter: 1e6 } });
        else if (kind === 'refresh') {
          await progress.refresh(0, never);
          compare();
          compareVersions();
        } else {
          for (const end of ends) end();
          await progress.refresh(0, never);
          changed.clear();
          [bySource, byTopic] = [new SinksBySource(progress), new SinksByTopic(progress)];
          ends = follow();
          compare();
          [version, known] = [byTopic.version, byTopic.topics().join()];
        }
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 60, size: 'max' }), (commands) => run(commands)),
      { numRuns: 60 },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
