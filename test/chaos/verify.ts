import type { Api } from '../support/api.ts';
import { madeCell } from './made-cell.ts';
import type { Oracle } from './sender.ts';

export interface Verdict {
  readonly acknowledged: number;
  readonly sent: number;
  /** Events that were never acknowledged and are in the tables all the same. */
  readonly unacknowledgedButStored: number;
}

export interface Verification {
  readonly api: Api;
  readonly tables: readonly string[];
  /** API path of the source; its sinks are `sink-1`, `sink-2` … in the order of the tables. */
  readonly source: string;
  readonly oracle: Oracle;
  /** The column that a template makes, and its table. */
  readonly computed?: { readonly tableId: string; readonly column: string };
}

/** Compares every table with the oracle, the tables with each other, and the conservation numbers with a count. Throws at the first difference. */
export async function verifyTables({ api, tables, source, oracle, computed }: Verification): Promise<Verdict> {
  let first: ReadonlyMap<number, string> | undefined;
  for (const [index, tableId] of tables.entries()) {
    const column = computed?.tableId === tableId ? computed.column : undefined;
    const ids = await verifyTable(api, { tableId, column }, oracle);
    await verifyConservation(api, `${source}/sinks/sink-${index + 1}/progress`, ids.size);
    first ??= ids;
    for (const [number, id] of first) {
      if (ids.get(number) !== id)
        throw new Error(`event ${number} has id ${id} in ${tables[0]} and ${ids.get(number)} in ${tableId}`);
    }
    if (first.size !== ids.size) throw new Error(`${tables[0]} has ${first.size} events, ${tableId} has ${ids.size}`);
  }
  const stored = first?.size ?? 0;
  return {
    acknowledged: oracle.acknowledged.size,
    sent: oracle.sent.size,
    unacknowledgedButStored: stored - oracle.acknowledged.size,
  };
}

/** Ids by number. */
async function verifyTable(
  api: Api,
  { tableId, column }: { readonly tableId: string; readonly column: string | undefined },
  oracle: Oracle,
): Promise<ReadonlyMap<number, string>> {
  const ids = new Map<number, string>();
  for (const row of await api.rows(tableId)) {
    const number = Number(row['n']);
    if (ids.has(number)) throw new Error(`D3: event ${number} is twice in ${tableId}`);
    if (!oracle.sent.has(number)) throw new Error(`event ${number} is in ${tableId} and was never sent`);
    if (row['text'] !== `event "${number}"\r\nwith, all: that`)
      throw new Error(`event ${number} has a wrong text in ${tableId}: ${row['text']}`);
    if (column !== undefined && row[column] !== madeCell(number))
      throw new Error(`event ${number} has a wrong "${column}" in ${tableId}: ${row[column]}`);
    ids.set(number, row['id'] ?? '');
  }
  const lost = [...oracle.acknowledged].filter((number) => !ids.has(number));
  if (lost.length > 0)
    throw new Error(
      `D2: ${lost.length} acknowledged events are not in ${tableId}, for example ${lost.slice(0, 5).join(', ')}`,
    );
  return ids;
}

interface Conserved {
  readonly partitions: readonly Readonly<
    Record<
      | 'accepted'
      | 'imported'
      | 'dead'
      | 'filtered'
      | 'holes'
      | 'none'
      | 'givenUp'
      | 'staged'
      | 'inFlight'
      | 'difference',
      number
    >
  >[];
}

/** Checks the numbers of the sink whose progress stands at `path` against a count of its rows. Throws when one is wrong. */
export async function verifyConservation(api: Api, path: string, counted: number): Promise<void> {
  const { partitions } = await api.call<Conserved>('GET', path);
  const sum = (key: keyof Conserved['partitions'][number]): number =>
    partitions.reduce((total, one) => total + one[key], 0);
  const wrong = (['dead', 'filtered', 'holes', 'none', 'givenUp', 'staged', 'inFlight', 'difference'] as const).filter(
    (key) => sum(key) !== 0,
  );
  if (wrong.length > 0) throw new Error(`D4: ${path} has ${wrong.map((key) => `${key} ${sum(key)}`).join(', ')}`);
  if (sum('imported') !== counted || sum('accepted') !== counted) {
    throw new Error(
      `D4: ${path} says ${sum('accepted')} accepted and ${sum('imported')} imported, the table has ${counted}`,
    );
  }
}
