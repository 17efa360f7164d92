import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import {
  incarnationsTogether,
  sampleSteps,
  samplesOf,
  type SampledNow,
  type SampleStep,
} from '../../core/accounts/samples.ts';
import { noNumbers } from '../../core/accounts/sink-numbers.ts';
import { defaultBranch, parseIncarnation, parseSinkId, parseSourceId } from '../../core/ids.ts';
import { removeDocument } from '../../documents/change-document.ts';
import { SampleStore } from './sample-store.ts';

const signal = new AbortController().signal;
const hour = 3_600_000;
const steps = ['minute', 'hour'] as const;

let harness: AdminHarness;
beforeAll(async () => {
  harness = await startAdmin();
});
afterAll(() => harness[Symbol.asyncDispose]());

type Command =
  | {
      readonly kind: 'sample';
      readonly afterMs: number;
      readonly accepted: number;
      readonly incarnations: readonly number[];
    }
  /** The clock was ahead by so much. */
  | { readonly kind: 'forget'; readonly backMs: number }
  /** Somebody else goes on, with nothing in memory. */
  | { readonly kind: 'another' };

/** In the first group, in the second and far away. */
const incarnations = fc.subarray([1, 2, incarnationsTogether, 7 * incarnationsTogether], { minLength: 1 });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('sample' as const),
      afterMs: fc.oneof(fc.integer({ min: 1, max: 90_000 }), fc.constantFrom(hour, 26 * hour, 500 * hour)),
      accepted: fc.maxSafeNat(),
      incarnations,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('forget' as const),
      backMs: fc.oneof(fc.integer({ min: 0, max: 3 * hour }), fc.integer({ min: 0, max: 60_000 })),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'another' as const }) },
);

/** What a step should have of one incarnation: the first sample of each of its minutes or hours. */
class Expected {
  readonly #step: SampleStep;
  #taken: { readonly at: number; readonly incarnation: number; readonly accepted: number }[] = [];

  constructor(step: SampleStep) {
    this.#step = step;
  }

  add(
    at: number,
    { incarnations: given, accepted }: { readonly incarnations: readonly number[]; readonly accepted: number },
  ): void {
    const { stepMs, blockMs } = sampleSteps[this.#step];
    const group = (incarnation: number): number => Math.floor(incarnation / incarnationsTogether);
    const before = [...this.#taken];
    for (const incarnation of given) {
      const isTaken = before.some(
        (one) =>
          group(one.incarnation) === group(incarnation) && Math.floor(one.at / stepMs) === Math.floor(at / stepMs),
      );
      if (!isTaken) this.#taken.push({ at, incarnation, accepted });
    }
    const blocks = [...new Set(this.#taken.map((one) => Math.floor(one.at / blockMs)))].slice(
      -sampleSteps[this.#step].blocks,
    );
    this.#taken = this.#taken.filter((one) => blocks.includes(Math.floor(one.at / blockMs)));
  }

  forget(at: number): void {
    this.#taken = this.#taken.filter((one) => one.at <= at);
  }

  of(incarnation: number): readonly (readonly [at: number, accepted: number])[] {
    return this.#taken.filter((one) => one.incarnation === incarnation).map(({ at, accepted }) => [at, accepted]);
  }

  get last(): number | undefined {
    return this.#taken.at(-1)?.at;
  }
}

function sampled(given: readonly number[], accepted: number): readonly SampledNow[] {
  return given.map((number) => ({
    key: { branchId: defaultBranch, sourceId: parseSourceId('shop'), sinkId: parseSinkId(`sink-${number}`) },
    incarnation: parseIncarnation(number),
    numbers: { ...noNumbers, accepted },
  }));
}

async function kept(
  store: SampleStore,
  step: SampleStep,
  incarnation: number,
): Promise<readonly (readonly [number, number])[]> {
  const found: (readonly [number, number])[] = [];
  for await (const blocks of store.read(step, 0, { signal }))
    for (const block of blocks)
      for (const sink of block.sinks)
        if (sink.incarnation === incarnation)
          found.push(...samplesOf(block, sink).map(({ at, accepted }) => [at, accepted] as const));
  return found;
}

test('N6: whatever is sampled and forgotten, and by whom, the newest blocks are kept whole, in order, and no others', async () => {
  const { catalog } = harness.dependencies;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 60 }), async (commands) => {
      for (const { id } of await catalog.list({ collection: 'sample', prefix: '' }, { signal }))
        await removeDocument(catalog, { collection: 'sample', id }, { signal });
      const expected = { minute: new Expected('minute'), hour: new Expected('hour') };
      let store = new SampleStore(catalog);
      let now = Date.UTC(2026, 0, 1);
      for (const one of commands) {
        if (one.kind === 'another') store = new SampleStore(catalog);
        if (one.kind === 'forget') {
          now -= one.backMs;
          await store.removeAfter(now, { signal });
          for (const step of steps) expected[step].forget(now);
        }
        if (one.kind === 'sample') {
          now += one.afterMs;
          for (const step of steps) {
            await store.append(step, { at: now, sinks: sampled(one.incarnations, one.accepted) }, { signal });
            expected[step].add(now, one);
          }
          await store.removeOld({ signal });
        }
        expect(await store.last({ signal })).toBe(expected.minute.last);
      }
      for (const step of steps)
        for (const incarnation of [1, 2, incarnationsTogether, 7 * incarnationsTogether])
          expect(await kept(store, step, incarnation)).toEqual(expected[step].of(incarnation));
    }),
    { numRuns: 40 },
  );
});
