import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultBranch, parseIncarnation, parseSinkId, parseSourceId } from '../ids.ts';
import {
  appendSample,
  incarnationsTogether,
  lastOf,
  sampleSteps,
  samplesOf,
  samplesUntil,
  type SampleBlock,
} from './samples.ts';
import { noNumbers, numberNames, type SinkNumbers } from './sink-numbers.ts';

const keyOf = (incarnation: number) => ({
  branchId: defaultBranch,
  sourceId: parseSourceId('shop'),
  sinkId: parseSinkId(`sink-${incarnation}`),
});

const numbers: fc.Arbitrary<SinkNumbers> = fc
  .record(
    Object.fromEntries(numberNames.map((name) => [name, fc.oneof(fc.constant(0), fc.nat(100), fc.maxSafeNat())])),
    { requiredKeys: [] },
  )
  .map((some) => ({ ...noNumbers, ...some }));

/** Of each minute of an hour: who is sampled, if anybody is, and how late in the minute. */
const minutes = fc.array(
  fc.option(fc.record({ late: fc.nat(59_999), sinks: fc.dictionary(fc.constantFrom('1', '2', '3', '4'), numbers) })),
  { minLength: 1, maxLength: 60 },
);

interface Taken {
  readonly at: number;
  readonly sinks: readonly { readonly incarnation: number; readonly numbers: SinkNumbers }[];
}

function takenOf(given: readonly ({ late: number; sinks: Record<string, SinkNumbers> } | null)[]): readonly Taken[] {
  return given.flatMap((one, minute) => {
    if (one === null) return [];
    const sinks = Object.entries(one.sinks).map(([id, of]) => ({ incarnation: Number(id), numbers: of }));
    return [{ at: minute * 60_000 + one.late, sinks }];
  });
}

function blockOf(taken: readonly Taken[]): SampleBlock | undefined {
  let block: SampleBlock | undefined;
  for (const { at, sinks } of taken) {
    const all = sinks.map((sink) => ({
      key: keyOf(sink.incarnation),
      incarnation: parseIncarnation(sink.incarnation),
      numbers: sink.numbers,
    }));
    block = appendSample(block, { at, sinks: all }, 'minute');
  }
  return block;
}

const samplesIn = (block: SampleBlock | undefined, incarnation: number) => {
  const sink = block?.sinks.find((one) => one.incarnation === incarnation);
  return block === undefined || sink === undefined ? [] : samplesOf(block, sink);
};

test('N3: a block gives back exactly the samples that were taken: one that is missing is none, and a zero is a zero', () => {
  fc.assert(
    fc.property(minutes, (given) => {
      const taken = takenOf(given);
      const block = blockOf(taken);
      for (const incarnation of [1, 2, 3, 4]) {
        const own = taken.flatMap(({ at, sinks }) =>
          sinks.flatMap((sink) => (sink.incarnation === incarnation ? [{ at, ...sink.numbers }] : [])),
        );
        expect(samplesIn(block, incarnation)).toEqual(own);
      }
      expect(block && lastOf(block)).toBe(taken.at(-1)?.at);
    }),
  );
});

test('N6: samples never go back, and a minute has one', () => {
  fc.assert(
    fc.property(minutes, fc.integer({ min: -3_600_000, max: 59_999 }), (given, late) => {
      const block = blockOf(takenOf(given));
      if (block === undefined) return;
      const last = lastOf(block) ?? 0;
      const at = Math.max(0, Math.min(last + late, Math.floor(last / 60_000) * 60_000 + 59_999));
      expect(appendSample(block, { at, sinks: [] }, 'minute')).toBeUndefined();
      expect(appendSample(block, { at: (Math.floor(last / 60_000) + 1) * 60_000, sinks: [] }, 'minute')).toBeDefined();
    }),
  );
});

test('N6: a block without its samples behind a time is what it was at that time', () => {
  fc.assert(
    fc.property(minutes, fc.nat(3_600_000), (given, at) => {
      const taken = takenOf(given);
      const block = blockOf(taken);
      if (block === undefined) return;
      const cut = samplesUntil(block, at, 'minute');
      const before = blockOf(taken.filter((one) => one.at <= at));
      for (const incarnation of [1, 2, 3, 4])
        expect(samplesIn(cut, incarnation)).toEqual(samplesIn(before, incarnation));
      expect(cut.at).toBe(before?.at ?? '');
    }),
  );
});

test('N6: the fullest block of numbers that change all the time is far below the 16 MB of a document of MongoDB', () => {
  for (const step of ['minute', 'hour'] as const) {
    const { stepMs, blockMs } = sampleSteps[step];
    let block: SampleBlock | undefined;
    for (let index = 0; index < blockMs / stepMs; index += 1) {
      // Back and forth over all that a number can be: no difference is longer.
      const all = Object.fromEntries(numberNames.map((name) => [name, index % 2 === 0 ? Number.MAX_SAFE_INTEGER : 0]));
      const sinks = Array.from({ length: incarnationsTogether }, (_, at) => ({
        key: { ...keyOf(at + 1), sinkId: parseSinkId('s'.repeat(104)), sourceId: parseSourceId('s'.repeat(104)) },
        incarnation: parseIncarnation(at + 1),
        numbers: { ...noNumbers, ...all },
      }));
      block = appendSample(block, { at: Date.UTC(2026, 0, 1) + index * stepMs, sinks }, step);
    }
    expect(JSON.stringify(block).length).toBeLessThan(1024 ** 2);
  }
});
