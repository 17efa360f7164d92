import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import type { Numbers } from '../support/shop.ts';
import { calmProgress } from './calm-progress.ts';
import { chaosEvent } from './event.ts';
import { Judge, type Found, type Row } from './judge.ts';
import type { Oracle, Period, Places } from './oracle.ts';
import { chaosSinks, type ChaosSink } from './shop.ts';

export interface Verdict {
  readonly acknowledged: number;
  readonly sent: number;
  /** Events that were never acknowledged and are in the tables all the same. */
  readonly unacknowledgedButStored: number;
  readonly rows: number;
  readonly deadLetters: number;
  readonly filtered: number;
  /** Acknowledged events of which it is certain that the sinks that came and went had to take them, or must not. */
  readonly certain: Readonly<Record<string, { readonly inside: number; readonly outside: number }>>;
}

export interface Verification {
  readonly api: Api;
  readonly oracle: Oracle;
  /** By sink id: when sinks that came and went surely took events, and when surely not. */
  readonly periods: ReadonlyMap<string, readonly Period[]>;
  /** Of all events in the topic of the source; absent: the sinks are compared with each other. */
  readonly places?: Places;
  /** Source offsets without an event, which a broker's transactions make. */
  readonly mayHaveNone?: boolean;
}

/** How long the incarnations of a sink that was deleted may take to deliver what they accepted. */
const withinMs = 120_000;
const deadLetters = 'sys.c-millrace.dead_letters';

/**
 * Compares all tables with the oracle and with each other, and the numbers of conservation with a count. Throws at the first
 * difference. Everything must have been delivered, but for what belongs to deleted incarnations.
 */
export async function verifyTables(verification: Verification): Promise<Verdict> {
  const { api, oracle, periods, places } = verification;
  const judge = new Judge(oracle, places);
  const letters = await deadLettersOf(api);
  const read = async (sink: ChaosSink): Promise<Found> =>
    judge.read(sink, { rows: api.eachRow(sink.tableId), dead: letters.get(sink.sinkId) ?? [] });
  let stored: ReadonlySet<number> | undefined = places === undefined ? undefined : new Set(places.keys());
  let [rows, filtered] = [0, 0];
  const certain: Record<string, { readonly inside: number; readonly outside: number }> = {};
  for (const sink of chaosSinks) {
    if (sink.switchedBy === undefined) {
      const found = await read(sink);
      stored ??= found.rows;
      judge.requireAll(sink, found, stored);
      filtered += await verifyTotals(verification, sink, { ...found, stored });
      rows += found.rows.size;
    } else {
      const own = periods.get(sink.sinkId) ?? [];
      const { found, inside } = await eventually(
        async () => {
          const now = await read(sink);
          return { found: now, inside: judge.requireInside(sink, now, own) };
        },
        { withinMs, everyMs: 1000 },
      );
      certain[sink.sinkId] = { inside, outside: judge.requireNoneOutside(sink, found, own) };
      await verifySwitched(api, sink, found);
      rows += found.rows.size;
    }
  }
  return {
    acknowledged: oracle.acknowledged.size,
    sent: oracle.sent,
    unacknowledgedButStored: (stored?.size ?? 0) - oracle.acknowledged.size,
    rows,
    deadLetters: [...letters.values()].reduce((sum, all) => sum + all.length, 0),
    filtered,
    certain,
  };
}

/** By sink id; there is no such table before the first one. */
async function deadLettersOf(api: Api): Promise<ReadonlyMap<string, readonly Row[]>> {
  const { status } = await api.request('GET', `/v2/storage/tables/${deadLetters}`);
  return status === 404 ? new Map() : Map.groupBy(await api.rows(deadLetters), (letter) => letter['sink'] ?? '');
}

/** Checks every number of a sink that took everything; answers how many events it filtered. */
async function verifyTotals(
  { api, mayHaveNone = false }: Verification,
  { sinkId, fateOf }: ChaosSink,
  { rows, dead, stored }: Found & { readonly stored: ReadonlySet<number> },
): Promise<number> {
  const { totals } = await calmProgress(api, sinkId);
  const filtered = [...stored].filter((number) => fateOf(chaosEvent(number)) === 'filtered').length;
  const none = mayHaveNone ? totals.none : 0;
  const expected: Numbers = {
    accepted: stored.size + none,
    imported: rows.size,
    dead: dead.size,
    filtered,
    none,
    ...nothing,
  };
  for (const [key, value] of Object.entries(expected)) {
    const told = totals[key as keyof Numbers];
    if (told !== value) throw new Error(`D4: sink "${sinkId}" says ${key} ${told}, counted are ${value}`);
  }
  return filtered;
}

const nothing = { holes: 0, givenUp: 0, staged: 0, inFlight: 0, difference: 0 } as const;

/** The numbers are those of the last incarnation, the table has the rows of all. */
async function verifySwitched(api: Api, { sinkId, switchedBy }: ChaosSink, { rows }: Found): Promise<void> {
  const { totals } = await calmProgress(api, sinkId);
  for (const [key, value] of Object.entries(nothing)) {
    const told = totals[key as keyof Numbers];
    if (told !== value) throw new Error(`D4: sink "${sinkId}" says ${key} ${told}, expected ${value}`);
  }
  const isRight = switchedBy === 'disable' ? totals.imported === rows.size : totals.imported <= rows.size;
  if (!isRight) throw new Error(`D4: sink "${sinkId}" says ${totals.imported} imported, its table has ${rows.size}`);
}
