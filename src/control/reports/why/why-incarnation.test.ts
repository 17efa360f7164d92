import { describe, expect, it } from 'vitest';
import { allowed, progressOf, sliceOf } from '../../../../test/support/progress-of.ts';
import { requestFlush } from '../../../core/progress/flush.ts';
import { startImport } from '../../../core/progress/import.ts';
import { limits } from '../../../core/limits.ts';
import { park, parkDamaged } from '../../../core/progress/parked.ts';
import { askReplay, endReplay, passLetters } from '../../../core/progress/replay-order.ts';
import { noTotals, type SinkProgress } from '../../../core/progress/sink-progress.ts';
import { effectiveSettings } from '../../../core/settings/effective.ts';
import type { SinkStatus } from '../../../core/sink-status.ts';
import type { IncarnationReport } from '../sink-report.ts';
import type { Finding } from './finding.ts';
import { whyIncarnation, type IncarnationWhy, type WhyFacts } from './why-incarnation.ts';

const now = Date.parse('2026-01-02T03:04:05.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();

interface Given extends Partial<IncarnationReport> {
  readonly mapped?: WhyFacts['mapped'];
  readonly closed?: NonNullable<WhyFacts['closed']>;
}

function whyOf({ mapped = new Map([[0, -1]]), closed, ...given }: Given): IncarnationWhy {
  const report: IncarnationReport = {
    progress: progressOf(0),
    ends: new Map([[0, 0]]),
    stable: undefined,
    statuses: [],
    openSlices: [],
    lastNote: undefined,
    standstill: undefined,
    acknowledged: undefined,
    witness: { kind: 'uncounted' },
    retentionUsed: undefined,
    settings: effectiveSettings(),
    now,
    ...given,
  };
  return whyIncarnation({ report, mapped, ...(closed === undefined ? {} : { closed }) });
}

/** The only finding of a kind. */
function found(why: IncarnationWhy, kind: Finding['kind']): Finding {
  const [first, ...others] = why.findings.filter((one) => one.kind === kind);
  if (first === undefined || others.length > 0) throw new Error(`not one ${kind}: ${JSON.stringify(why.findings)}`);
  return first;
}

/** A document that has passed and imported these events of partition 0. */
function passed(counts: Partial<typeof noTotals>): SinkProgress {
  const { entries, ...rest } = progressOf(0);
  const [entry] = Object.values(entries);
  if (entry === undefined) throw new Error('no entry');
  const all = { ...noTotals, ...counts };
  const sum = all.rows + all.dead + all.filtered + all.holes + all.givenUp;
  return { ...rest, entries: { 0: { ...entry, source: sum - 1 } }, totals: { 0: { ...all, passed: sum } } };
}

const staged = (...slices: readonly Parameters<typeof sliceOf>[0][]): SinkProgress => ({
  ...passed({}),
  staged: slices.map((one) => sliceOf({ stagedAt: now - 5000, ...one })),
});

const status = (given: Partial<SinkStatus>): SinkStatus => ({
  incarnation: progressOf(0).incarnation,
  role: 'import',
  code: 'table.unavailable',
  message: 'the table store does not answer',
  since: iso(now - 60_000),
  lastTryAt: iso(now - 1000),
  nextTryAt: iso(now + 4000),
  attempts: 7,
  ...given,
});

describe('the table store', () => {
  const delivered = { progress: passed({ rows: 3 }), ends: new Map([[0, 3]]) };

  it('that witnesses what was imported is not spoken of', () => {
    const why = whyOf({ ...delivered, witness: { kind: 'compared', difference: { rows: 0, dead: 0 } } });
    expect(why).toMatchObject({ verdict: expect.stringContaining('is in the table') as string, findings: [] });
  });

  it.each([
    ['away', /table store does not answer/],
    ['unfit', /another ledger of it, or none/],
  ] as const)('D4: what it does not witness is not called in the table: it is %s', (kind, text) => {
    const why = whyOf({ ...delivered, witness: { kind } });
    expect(found(why, 'unknown').text).toMatch(text);
    expect(why.verdict).toMatch(/does not witness it\.$/);
  });
});

describe('W1: the verdict', () => {
  it('says that everything is in the table, when nothing waits', () => {
    const why = whyOf({ progress: passed({ rows: 3 }), ends: new Map([[0, 3]]) });
    expect(why).toMatchObject({ isDelivered: true, waiting: 0, findings: [] });
    expect(why.verdict).toBe('Everything that was accepted is in the table as of 2026-01-02T03:04:05.000Z.');
  });

  it('names what is accounted for and in no table, and what is lost is never called delivered to it', () => {
    const progress = passed({ rows: 3, dead: 1, filtered: 2, holes: 4, givenUp: 5 });
    const why = whyOf({ progress, ends: new Map([[0, 15]]) });
    expect(why.verdict).toMatch(/or accounted for: 1 dead letter, 2 filtered, 4 lost and 5 given up\.$/);
    expect(found(why, 'lost')).toMatchObject({
      events: 9,
      text: expect.stringMatching(/4 events .* 5 events/) as string,
    });
    expect(found(why, 'alarm').text).toMatch(/^4 events were lost/);
    const alone = whyOf({ progress: passed({ rows: 3, givenUp: 1 }), ends: new Map([[0, 4]]) });
    expect(alone.verdict).toMatch(/or accounted for: 1 given up\.$/);
  });

  it('counts what waits before staging and in it', () => {
    const why = whyOf({ progress: staged({ id: 'a', from: -1, to: 2 }), ends: new Map([[0, 2]]) });
    expect(why).toMatchObject({
      isDelivered: false,
      waiting: 5,
      verdict: expect.stringContaining(
        '5 events are not in the table yet: 2 before staging and 3 in staging.',
      ) as string,
    });
  });

  it('is not made up while the log does not answer', () => {
    const why = whyOf({ ends: { unknown: 'The log is away.' } });
    expect(why).toMatchObject({ isDelivered: undefined, waiting: undefined });
    expect(why.verdict).toMatch(/what waits before it is not known now/);
    expect(found(why, 'unknown').text).toMatch(/The log is away\.$/);
  });
});

describe('W2: before staging', () => {
  const ends = new Map([[0, 10]]);

  it('tells what has no outcome from what has one, and waits for nothing but the mapping', () => {
    const why = whyOf({ ends, mapped: new Map([[0, 6]]) });
    expect(found(why, 'unmapped')).toMatchObject({ events: 3, partitions: [0] });
    expect(found(why, 'open').events).toBe(7);
  });

  it('tells the events behind an open transaction of another producer', () => {
    const why = whyOf({ ends, stable: new Map([[0, 4]]), mapped: new Map([[0, 3]]) });
    expect(found(why, 'transaction')).toMatchObject({ events: 6 });
    expect(why.findings.map(({ kind }) => kind)).toEqual(['transaction', 'open']);
  });

  const slice = { incarnation: progressOf(0).incarnation, partition: 0, from: -1, isClosing: false, rowBytes: 50 };

  it('says when the open slice is closed at the latest, and by what sooner', () => {
    const openSlices = [{ ...slice, to: 9, rows: 8, dead: 2, bytes: 50, ageMs: 4000 }];
    const open = found(whyOf({ ends, mapped: new Map([[0, 9]]), openSlices }), 'open');
    const { intervalMs } = effectiveSettings().staging;
    expect(open).toMatchObject({ events: 10, nextAt: now - 4000 + intervalMs, since: now - 4000 });
    expect(open.text).toContain(
      `an open slice has 8 rows and 2 dead letters. It is closed at ${iso(now - 4000 + intervalMs)}: `,
    );
  });

  it('says that a slice is closed now when a flush asks for it', () => {
    const progress = requestFlush(progressOf(0), ends);
    expect(found(whyOf({ progress, ends, mapped: new Map([[0, 9]]) }), 'open').nextAt).toBe(now);
  });

  it('without an answer of the topic does not say what is mapped', () => {
    const open = found(whyOf({ ends, mapped: new Map() }), 'open');
    expect(open).not.toHaveProperty('events');
    expect(open.text).toMatch(/waits to be mapped or staged/);
  });

  it('names a partition whose source has lost its end, and one that is mapped again', () => {
    const { entries, ...rest } = progressOf(0, 0);
    const [first, second] = [entries['0'], entries['1']];
    if (first === undefined || second === undefined) throw new Error('no entries');
    const progress = {
      ...rest,
      entries: { 0: { ...first, cut: 5 }, 1: { ...second, sink: 3, torn: { low: 3, end: 9 } } },
    };
    const why = whyOf({ progress });
    expect(found(why, 'cut').text).toMatch(/^Partition 0 of the source has lost what it held from offset 5 on/);
    expect(found(why, 'torn').text).toMatch(/^The topic of the sink has lost outcomes of partition 1/);
  });
});

describe('W3: in staging', () => {
  const target = effectiveSettings().target;

  it('says when the next import begins at the latest', () => {
    const one = found(whyOf({ progress: staged({ id: 'a', from: -1, to: 2 }) }), 'staged');
    const nextAt = Math.round(target.spread(progressOf(0).incarnation).intervalMs + now - 5000);
    expect(one).toMatchObject({ events: 3, since: now - 5000, nextAt });
    expect(one.text).toContain(`begins at ${iso(nextAt)} at the latest`);
  });

  it('says that the import is due when a condition is met, or a flush asks for it', () => {
    const many = staged(...Array.from({ length: target.slices }, (_, at) => ({ id: `${at}`, from: at - 1, to: at })));
    expect(found(whyOf({ progress: many }), 'staged').text).toMatch(/is due \(slices\)/);
    const asked = requestFlush(staged({ id: 'a', from: -1, to: 2 }), new Map([[0, 3]]));
    expect(found(whyOf({ progress: asked }), 'staged')).toMatchObject({
      nextAt: now,
      text: expect.stringMatching(/a flush asks for them now/) as string,
    });
  });

  it('D6: names what failed and when it is tried again, and no trigger beside it', () => {
    const why = whyOf({ progress: staged({ id: 'a', from: -1, to: 2 }), statuses: [status({})] });
    expect(found(why, 'failing')).toMatchObject({
      role: 'import',
      code: 'table.unavailable',
      attempts: 7,
      nextAt: now + 4000,
      action: expect.stringMatching(/^Check the disk/) as string,
      text: `Importing has failed 7 times since ${iso(now - 60_000)}: The table store does not answer. It is tried again at ${iso(now + 4000)}.`,
    });
    expect(found(why, 'staged').text).toMatch(/until importing goes on\.$/);
    expect(found(why, 'staged')).not.toHaveProperty('nextAt');
  });

  it('a try that should be over is not promised again', () => {
    const old = status({ nextTryAt: iso(now - 30_000), role: 'map', partitions: [1, 2] });
    expect(found(whyOf({ statuses: [old] }), 'failing').text).toMatch(
      /^Mapping of partitions 1 and 2 has failed .* was due at/,
    );
  });

  it('names a running import, and what waits behind it', () => {
    const both = allowed(startImport(staged({ id: 'a', from: -1, to: 2 }), { id: 'i', at: now - 50 }));
    const progress = { ...both, staged: [sliceOf({ id: 'b', from: 2, to: 4, stagedAt: now })] };
    const why = whyOf({ progress });
    expect(found(why, 'importing')).toMatchObject({ events: 3, since: now - 50 });
    expect(found(why, 'staged').text).toMatch(/for the import after the running one/);
  });

  it('W3: names a replay of dead letters that runs, and how far it is', () => {
    const order = { id: 'r', filter: {}, matching: 9, at: now - 70 };
    const asked = allowed(askReplay(passed({ dead: 9 }), order));
    const place = { partition: 0, offset: 3, eventId: 'e' };
    const progress = allowed(
      passLetters(asked, { id: 'r', from: undefined, passed: { after: place, seen: 4, refused: 4, partial: 0 } }),
    );
    const why = whyOf({ progress, ends: new Map([[0, 9]]) });
    expect(found(why, 'replaying')).toMatchObject({ events: 5, since: now - 70 });
    expect(found(why, 'replaying').text).toMatch(/ runs: 4 of 9 looked at, 0 rows made of them\. /);
    const ended = allowed(endReplay(progress, { id: 'r', at: now }));
    expect(whyOf({ progress: ended, ends: new Map([[0, 9]]) }).findings).toEqual([]);
  });

  it('names what is parked: why, when it is tried again, until when, and that it is given up', () => {
    const failing = { code: 'table.schemaMismatch', since: now - 3_600_000, provenMs: 0 };
    const two = staged({ id: 'a', from: -1, to: 2, failing }, { id: 'b', from: 2, to: 4, mappingVersion: 2 });
    const misfit = allowed(park(two, { mappingVersion: 1, at: now - 9000 }));
    const damage = { code: 'objects.corrupt', message: 'the object "b" differs' };
    const progress = allowed(parkDamaged(misfit, { sliceId: 'b', at: now - 100, damage }));
    const why = whyOf({ progress, statuses: [status({ code: 'table.schemaMismatch' })] });
    const [waiting, alone] = why.findings.filter(({ kind }) => kind === 'parked');
    expect(waiting).toMatchObject({
      events: 3,
      since: now - 3_600_000,
      nextAt: now + 4000,
      code: 'table.schemaMismatch',
    });
    expect(waiting?.text).toContain(`if that lasts until ${iso(now - 3_600_000 + limits.stagedAgeMs)}`);
    expect(alone).toMatchObject({ events: 2, partitions: [0], code: 'objects.corrupt', since: now - 100 });
    expect(alone?.text).toMatch(/behind offset 2 up to 4, is parked since .*: The object "b" differs/);
    expect(alone).not.toHaveProperty('nextAt');
  });

  it('D8: says that staging waits when as many slices wait as may', () => {
    const full = staged(
      ...Array.from({ length: limits.stagedSlices }, (_, at) => ({ id: `${at}`, from: at - 1, to: at })),
    );
    expect(found(whyOf({ progress: full }), 'failing')).toMatchObject({ role: 'stage', code: 'stage.full' });
  });
});

it('W1: says since when a sink takes nothing that comes', () => {
  const why = whyOf({ closed: { at: iso(now - 5), what: 'disabled' } });
  expect(found(why, 'closed').text).toBe(
    `The sink is disabled since ${iso(now - 5)}: it takes nothing that was accepted later.`,
  );
  expect(why.verdict).toMatch(/^Everything that was accepted for the sink is in the table/);
});
