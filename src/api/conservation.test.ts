import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { eventually } from '../../test/support/eventually.ts';
import { FakeClock } from '../../test/support/fake-clock.ts';
import type { ConservationView } from './views/conservation-view.ts';

const path = '/v1/branches/default/conservation';
const signal = new AbortController().signal;
const begin = Date.UTC(2026, 0, 1);
const minute = 60_000;

let harness: AdminHarness;
let clock: FakeClock;

beforeEach(async () => {
  clock = new FakeClock(begin);
  harness = await startAdmin((dependencies) => ({ ...dependencies, samplingClock: clock }));
  for (const sourceId of ['shop', 'other']) {
    const sink = {
      name: 'orders',
      sinkId: 'orders',
      table: { tableId: `in.c-${sourceId}.orders`, mapping: { columns: [{ type: 'body', name: 'body' }] } },
    };
    await harness.api.task('POST', '/v1/branches/default/sources', {
      type: 'http',
      name: sourceId,
      sourceId,
      sinks: [sink],
    });
  }
});

afterEach(() => harness[Symbol.asyncDispose]());

async function send(count: number): Promise<void> {
  const records = Array.from({ length: count }, () => ({ value: Buffer.from('{}'), headers: [], timestamp: 1 }));
  await harness.dependencies.sourceLog.append({ topic: 'source.1.shop', partition: 0 }, records, { signal });
}

function report(query = ''): Promise<ConservationView> {
  return harness.api.call<ConservationView>('GET', `${path}${query}`);
}

/** Lets the product take the samples of so many minutes. */
async function sample(minutes: number): Promise<void> {
  for (let count = 0; count < minutes; count += 1) {
    clock.advance(minute);
    const at = new Date(clock.now()).toISOString();
    await eventually(async () => {
      const { sources } = await report();
      expect(sources.flatMap(({ sinks }) => sinks.map(({ samples }) => samples.at(-1)?.at))).toEqual([at, at]);
    });
  }
}

describe('N3: GET /v1/branches/{branchId}/conservation', () => {
  test('the numbers now, and a sample of each minute, of every source and sink', async () => {
    await send(3);
    await sample(2);
    await send(2);
    const { verdict, well, sources } = await report();
    expect(verdict).toBe('All 5 events for 2 sinks of 2 sources are accounted for: 5 in flight; nothing is missing.');
    expect(well).toBe(true);
    const none = { imported: 0, staged: 0, filtered: 0, dead: 0, holes: 0, givenUp: 0, difference: 0 };
    const [other, shop] = sources;
    expect(other).toMatchObject({ sourceId: 'other', accepted: 0 });
    expect(shop).toEqual({
      sourceId: 'shop',
      accepted: 5,
      sinks: [
        {
          sinkId: 'orders',
          incarnation: expect.any(Number) as number,
          deleted: false,
          at: new Date(begin + 2 * minute).toISOString(),
          accepted: 5,
          inFlight: 5,
          ...none,
          samples: [1, 2].map((of) => ({
            at: new Date(begin + of * minute).toISOString(),
            accepted: 3,
            inFlight: 3,
            ...none,
          })),
          gaps: [],
        },
      ],
    });
  });

  test('the samples are there after the process was killed, and the time between is a gap', async () => {
    await sample(2);
    await harness.restart();
    clock.advance(5 * minute);
    await sample(1);
    const { sources, stepSeconds, since } = await report('?since=1h');
    for (const { sinks } of sources)
      expect(sinks[0]?.gaps).toContainEqual({
        from: new Date(begin + 3 * minute).toISOString(),
        to: expect.stringMatching(/^2026-01-01T00:0[78]/) as string,
      });
    expect([stepSeconds, since]).toEqual([60, new Date(clock.now() - 60 * minute).toISOString()]);
  });

  test('what the topic does not tell is null, and no verdict says that all is well', async () => {
    await harness.dependencies.sourceLog.deleteTopic('source.1.shop', { signal });
    const { verdict, well, sources } = await report();
    expect(sources[1]).toMatchObject({ accepted: null, sinks: [{ accepted: null, inFlight: null, imported: 0 }] });
    expect([well, verdict]).toEqual([
      false,
      'What was accepted is not known now for shop/orders, because the topic of the source does not answer.',
    ]);
  });

  test('one source alone, and others are refused', async () => {
    expect((await report('?sourceId=other')).sources.map(({ sourceId }) => sourceId)).toEqual(['other']);
    await expect(report('?sourceId=gone')).rejects.toThrow(/stream\.api\.sourceNotFound/);
    await expect(report('?since=10s')).rejects.toThrow(/must be between 1m0s and 2184h0m0s but got/);
    await expect(report('?since=soon')).rejects.toThrow(/invalidFormat/);
  });
});
