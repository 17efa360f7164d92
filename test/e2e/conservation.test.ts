import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { isLong } from '../support/long-tests.ts';
import { twice } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
import { quickClock } from '../support/quick-clock.ts';
import { runMillrace } from '../support/run-millrace.ts';
import { numberColumns, type Column, type Shop } from '../support/shop.ts';
import { startTimedSender } from '../support/timed-sender.ts';

interface Sample {
  readonly at: string;
  readonly accepted: number;
  readonly difference: number;
}

interface SinkReport extends Sample {
  readonly sinkId: string;
  readonly imported: number;
  readonly dead: number;
  readonly samples: readonly Sample[];
  readonly gaps: readonly { readonly from: string; readonly to: string }[];
}

interface Report {
  readonly verdict: string;
  readonly well: boolean;
  readonly sources: readonly { readonly accepted: number; readonly sinks: readonly SinkReport[] }[];
}

const begin = Date.now();
const kills = isLong ? 6 : 3;
const minuteMs = 60_000;
let installation: Installation;

/** Columns of the sink `mended`: they refuse every event, every second one, or none. */
const mending = {
  broken: [...numberColumns, { type: 'path', name: 'm', path: 'm' }],
  half: [...numberColumns, templated('if Body("n") % 2 == 0 then "even" else error "odd"')],
  mended: [...numberColumns, templated('"whole"')],
} as const;

function templated(content: string): Column {
  return { type: 'template', name: 'm', rawString: true, template: { language: 'jsonnet', content } };
}

function mapping(columns: readonly Column[]): object {
  return { table: { tableId: 'in.c-shop.mended', mapping: { columns } } };
}

beforeAll(async () => {
  installation = await Installation.start({
    entry: 'quick-sampling-process',
    env: { QUICK_CLOCK_BEGIN: String(begin), MILLRACE_PARTITIONS: '2' },
  });
});

afterAll(() => installation[Symbol.asyncDispose]());

/** Everything since the first start, by the quick clock. */
function reportOf(shop: Shop): Promise<Report> {
  return shop.api.call<Report>('GET', '/v1/branches/default/conservation?since=24h');
}

function sinkIn({ sources }: Report, sinkId: string): SinkReport {
  const found = sources[0]?.sinks.find((sink) => sink.sinkId === sinkId);
  if (found === undefined) throw new Error(`nothing is reported of ${sinkId}`);
  return found;
}

it('N1, N4: the process is killed again and again: no sample has a difference, each one stays, and the numbers are those of the tables', async () => {
  let shop = installation.shop();
  await shop.create([
    { sinkId: 'rows', tableId: 'in.c-shop.rows' },
    // No event has this field.
    {
      sinkId: 'letters',
      tableId: 'in.c-shop.letters',
      columns: [...numberColumns, { type: 'path', name: 'm', path: 'm' }],
    },
    { sinkId: 'mended', tableId: 'in.c-shop.mended', columns: mending.broken },
  ]);
  const sender = startTimedSender({ url: await shop.url(), connections: 4, pauseMs: 5 });
  const seen = new Map<string, Sample>();
  const downs: { readonly from: number; readonly to: number }[] = [];
  const clock = quickClock(begin);
  for (let kill = 0; kill < kills; kill += 1) {
    const soFar = seen.size;
    // At least two samples a life, then an end at a random moment.
    await eventually(async () => {
      const report = await reportOf(shop);
      for (const sink of report.sources[0]?.sinks ?? []) {
        expect(sink.difference).toBe(0);
        for (const sample of sink.samples) seen.set(`${sink.sinkId} ${sample.at}`, sample);
      }
      expect(seen.size).toBeGreaterThanOrEqual(soFar + 4);
    });
    await new Promise((resolve) => setTimeout(resolve, 1000 * Math.random()));
    // Dead letters are replayed, as far as the mapping takes them, when the process dies: at the first kill, half of them.
    await shop.flush('mended');
    await shop.api.task('PATCH', shop.sink('mended'), mapping(kill === 0 ? mending.half : mending.mended));
    await shop.api.call('POST', `${shop.sink('mended')}/dead-letters/replay`, { limit: kill === 0 ? 1_000_000 : 50 });
    if (kill < kills - 1) await shop.api.task('PATCH', shop.sink('mended'), mapping(mending.broken));
    await new Promise((resolve) => setTimeout(resolve, 200 * Math.random()));
    const from = clock.now();
    await installation.stop('SIGKILL');
    // A whole minute of the quick clock lies in it, at least.
    await clock.sleep(2 * minuteMs, { signal: new AbortController().signal });
    downs.push({ from, to: clock.now() });
    await installation.start();
    shop = installation.shop();
  }
  const sent = await sender.stop();
  for (const sinkId of ['rows', 'letters', 'mended']) await shop.flush(sinkId);
  await eventually(async () => expect(await reportOf(shop)).toMatchObject({ well: true }));
  await eventually(async () => {
    const { replay } = await shop.api.call<{ replay: { state: string } }>(
      'GET',
      `${shop.sink('mended')}/dead-letters/replay`,
    );
    expect(replay.state).toBe('done');
    for (const sinkId of ['rows', 'letters', 'mended'])
      expect(await shop.progress(sinkId)).toMatchObject({ delivered: true });
  });

  const report = await reportOf(shop);
  const answered = sent.filter(({ status }) => status === 200).map(({ number }) => number);
  const stored = await shop.numbersIn('in.c-shop.rows');
  expect(twice(stored)).toEqual([]);
  const known = new Set(stored);
  expect(answered.filter((number) => !known.has(number))).toEqual([]);
  expect(answered.length).toBeGreaterThan(500);
  const [rows, letters, mended] = [sinkIn(report, 'rows'), sinkIn(report, 'letters'), sinkIn(report, 'mended')];
  expect([report.sources[0]?.accepted, rows.accepted, rows.imported]).toEqual(Array(3).fill(stored.length));
  const inTable = await shop.api.rows('sys.c-millrace.dead_letters');
  const deadOf = (sinkId: string): number => inTable.filter(({ sink }) => sink === sinkId).length;
  expect([letters.accepted, letters.imported, letters.dead]).toEqual([stored.length, 0, deadOf('letters')]);
  const rowsOfMended = await shop.numbersIn('in.c-shop.mended');
  expect(twice(rowsOfMended)).toEqual([]);
  expect([mended.accepted, mended.imported, mended.dead]).toEqual([
    stored.length,
    rowsOfMended.length,
    deadOf('mended'),
  ]);
  expect(rowsOfMended.length + deadOf('mended')).toBe(stored.length);
  // Rows of letters were made, and letters are left: what was dead, and what each became, is in the sums.
  expect(Math.min(rowsOfMended.length, deadOf('mended'))).toBeGreaterThan(20);
  expect(report.verdict).toMatch(
    /^All [0-9,]+ events for 3 sinks of 1 source are accounted for: .*; nothing is missing\.$/,
  );

  for (const sink of [rows, letters, mended]) {
    const times = sink.samples.map(({ at }) => Date.parse(at));
    expect(times.length).toBeGreaterThan(kills);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(sink.samples.filter(({ difference }) => difference !== 0)).toEqual([]);
    const accepted = sink.samples.map((sample) => sample.accepted);
    expect(accepted).toEqual(accepted.toSorted((a, b) => a - b));
    expect(accepted.at(-1)).toBeGreaterThan(accepted[0] ?? 0);
    const kept = new Map(sink.samples.map((sample) => [`${sink.sinkId} ${sample.at}`, sample]));
    const ofSink = [...seen].filter(([name]) => name.startsWith(`${sink.sinkId} `));
    for (const [name, sample] of ofSink) expect(kept.get(name)).toEqual(sample);
    // Whole minutes in which nothing ran are gaps, and none has a sample.
    for (const { from, to } of downs) {
      const [first, end] = [Math.ceil(from / minuteMs) * minuteMs, Math.floor(to / minuteMs) * minuteMs];
      expect(first).toBeLessThan(end);
      expect(sink.gaps.some((gap) => Date.parse(gap.from) <= first && end <= Date.parse(gap.to))).toBe(true);
      expect(times.filter((at) => at >= first && at < end)).toEqual([]);
    }
    expect(sink.gaps.length).toBeGreaterThanOrEqual(kills);
  }

  const { code, stdout } = await runMillrace(['report', '--format', 'markdown'], {
    env: { MILLRACE_URL: installation.process.admin, MILLRACE_TOKEN: 'e2e-root-token' },
  });
  expect(code).toBe(0);
  expect(stdout).toContain(
    `| shop/rows | ${stored.length.toLocaleString('en-US')} | ${stored.length.toLocaleString('en-US')} |`,
  );
});
