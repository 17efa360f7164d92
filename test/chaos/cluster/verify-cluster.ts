import type { Api } from '../../support/api.ts';
import { verifyConservation, verifyTables, type Verdict } from '../verify.ts';
import type { Period } from './operator.ts';
import type { ClusterOracle } from './two-doors-sender.ts';

export interface ClusterVerification {
  readonly api: Api;
  readonly source: string;
  /** Tables of `sink-1`, `sink-2` …, which took everything. */
  readonly tables: readonly string[];
  /** The table of the sink that was disabled and enabled, and when it was what. */
  readonly switched: { readonly sinkId: string; readonly tableId: string; readonly periods: readonly Period[] };
  readonly oracle: ClusterOracle;
}

export interface ClusterVerdict extends Verdict {
  /** Events that were answered with 5xx and are in the tables all the same: their outcome was unclear. */
  readonly refusedButStored: number;
  /** Acknowledged events of which it is certain that the switched sink had to take them, or must not. */
  readonly certainOfSwitched: { readonly inside: number; readonly outside: number };
}

/** Throws at the first event that is lost, double, invented or where it must not be, and at the first number that is wrong. */
export async function verifyCluster(verification: ClusterVerification): Promise<ClusterVerdict> {
  const { api, source, tables, oracle, switched } = verification;
  const verdict = await verifyTables({ api, tables, source, oracle });
  const [first = ''] = tables;
  const ids = new Map((await api.rows(first)).map((row) => [Number(row['n']), row['id'] ?? '']));
  const statuses = [...ids.keys()].map((number) => oracle.posted.get(number)?.status);
  const refused = statuses.filter((status) => status !== undefined && status >= 300);
  if (refused.some((status) => Number(status) < 500))
    throw new Error(`D9: events that were refused are in ${first}: ${[...new Set(refused)].join(', ')}`);
  const marks = new Set((await api.rows(tables[1] ?? '')).map((row) => row['mark']));
  if ([...marks].some((mark) => mark !== 'a' && mark !== 'b'))
    throw new Error(`D7: rows of ${tables[1]} have the marks ${[...marks].join(', ')}`);
  const certainOfSwitched = await verifySwitched(verification, ids);
  await verifyConservation(api, `${source}/sinks/${switched.sinkId}/progress`, await countRows(api, switched.tableId));
  const dead = await api.request('GET', '/v2/storage/tables/sys.c-millrace.dead_letters/export?format=ndjson');
  if (dead.status !== 404 && dead.text !== '') throw new Error(`there are dead letters: ${dead.text.slice(0, 1000)}`);
  return { ...verdict, refusedButStored: refused.length, certainOfSwitched };
}

async function countRows(api: Api, tableId: string): Promise<number> {
  return (await api.rows(tableId)).length;
}

async function verifySwitched(
  { api, oracle, switched: { tableId, periods } }: ClusterVerification,
  ids: ReadonlyMap<number, string>,
): Promise<ClusterVerdict['certainOfSwitched']> {
  const stored = new Set<number>();
  for (const row of await api.rows(tableId)) {
    const number = Number(row['n']);
    if (stored.has(number)) throw new Error(`D3: event ${number} is twice in ${tableId}`);
    if (ids.get(number) !== row['id']) throw new Error(`event ${number} has another id in ${tableId} than elsewhere`);
    stored.add(number);
  }
  const certain = { inside: 0, outside: 0 };
  for (const number of oracle.acknowledged) {
    const event = oracle.posted.get(number);
    const period = periods.find(
      ({ from, to }) => event !== undefined && event.startedAt >= from && event.endedAt <= to,
    );
    if (period === undefined) continue;
    certain[period.isTaking ? 'inside' : 'outside'] += 1;
    if (period.isTaking && !stored.has(number)) throw new Error(`D2: event ${number} is not in ${tableId}`);
    if (!period.isTaking && stored.has(number))
      throw new Error(`event ${number} was sent while the sink of ${tableId} was disabled, and is there`);
  }
  return certain;
}
