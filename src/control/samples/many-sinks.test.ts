import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { progressOf } from '../../../test/support/progress-of.ts';
import { incarnationsTogether } from '../../core/accounts/samples.ts';
import { parseIncarnation, parseSinkId, parseSourceId } from '../../core/ids.ts';
import { progressId, sourceDocumentId } from '../../documents/document-id.ts';
import { putDocument } from '../../documents/change-document.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { requireDocument } from '../../documents/read-document.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import { defaultBranch } from '../../core/ids.ts';
import { Sampler } from './sampler.ts';

const signal = new AbortController().signal;
const sources = 10;
const sinks = 1000;

let harness: AdminHarness;

beforeAll(async () => {
  // The service takes no samples beside those of the test, when a minute of the wall begins.
  harness = await startAdmin((dependencies) => ({ ...dependencies, samplingClock: new FakeClock() }));
  const { catalog } = harness.dependencies;
  const topics: { readonly source: string; readonly sourceIdentity: string }[] = [];
  for (let at = 0; at < sources; at += 1) {
    const sourceId = parseSourceId(`source-${at}`);
    await harness.api.task('POST', '/v1/branches/default/sources', { type: 'http', name: sourceId, sourceId });
    const id = sourceDocumentId({ branchId: defaultBranch, sourceId });
    const { topic, topicIdentity } = await requireDocument(catalog, { kind: sourceDocuments, id }, { signal });
    topics.push({ source: topic, sourceIdentity: topicIdentity });
  }
  for (let at = 0; at < sinks; at += 1) {
    const begun = progressOf(0);
    const incarnation = parseIncarnation(at + 1);
    const key = { ...begun.key, sourceId: parseSourceId(`source-${at % sources}`), sinkId: parseSinkId(`sink-${at}`) };
    const value = { ...begun, incarnation, key, topics: { ...begun.topics, ...topics[at % sources] } };
    await putDocument(catalog, { kind: progressDocuments, id: progressId(incarnation), value }, { signal });
  }
});

afterAll(() => harness[Symbol.asyncDispose]());

test('N6: a sample of 1,000 sinks is a write for each 50 of them, a read for each 100, and a look at each source', async () => {
  const { catalog, sourceLog } = harness.dependencies;
  const calls: string[] = [];
  const counted = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown => {
          calls.push(String(name));
          return Reflect.apply(member, target, given) as unknown;
        };
      },
    });
  const clock = new FakeClock(Date.UTC(2026, 0, 1));
  const parts = {
    ...harness.dependencies,
    samplingClock: clock,
    catalog: counted(catalog),
    sourceLog: counted(sourceLog),
  };
  const sampler = new Sampler(parts);
  const round = async (): Promise<Readonly<Record<string, number>>> => {
    calls.length = 0;
    clock.advance(60_000);
    await sampler.round({ signal });
    return Object.fromEntries([...Map.groupBy(calls, (name) => name)].map(([name, all]) => [name, all.length]));
  };
  await round();
  const groups = Math.floor(sinks / incarnationsTogether) + 1;
  const pages = sinks / 100 + 1;
  expect(await round()).toEqual({ compareAndSet: groups, list: pages + 1, ranges: sources, describeTopic: sources });
});
