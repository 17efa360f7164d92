import type { ImportNote } from '../../../core/import-note.ts';
import { heldSlices, totalsOf, type SinkProgress } from '../../../core/progress/sink-progress.ts';
import type { TriedOutcome } from '../../trials/trials.ts';
import { sentence } from '../../errors/sentence.ts';
import { at } from '../why/words.ts';
import { filtered, triedOf, type Asked, type Decided, type PlacedEvent, type Told } from './asked-trace.ts';
import type { SinkTrace, TracedTable } from './sink-trace.ts';
import { findLetter, findRow, type Letter } from './table-witness.ts';
import { leftBy, ofReplayed, takenBy } from './trace-replayed.ts';
import type { IncarnationFacts, TraceSession } from './trace-session.ts';

/** Nothing of it is in staging any more. */
export async function counted(session: TraceSession, asked: Asked, facts: Decided): Promise<Told> {
  const { incarnation, event } = asked;
  const { progress, notes, isCertain } = facts;
  const note = noteOf(notes, event);
  const versions = note === undefined ? versionsOf(facts, event) : [note.mappingVersion];
  const tried = await agreed(session, asked, versions);
  if (tried?.kind === 'filtered' && isCertain) return filtered(versions.length === 1 ? versions[0] : undefined);
  const place = { incarnation, partition: event.partition, offset: event.offset, eventId: event.id };
  const letter = await findLetter(session.parts, place, session.options);
  const by = note === undefined ? {} : { import: { number: note.number, at: note.finishedAt } };
  if (letter !== undefined && letter !== 'none') return ofLetter(letter, { by, facts });
  const version = versions.at(-1);
  const mapping = version === undefined ? undefined : await session.mappingOf(incarnation, version);
  const table = mapping && (await findRow(session.parts, { mapping, eventId: event.id }, session.options));
  const found = { ...by, ...(version === undefined ? {} : { mappingVersion: version }), ...(table && { table }) };
  const taken = takenBy(facts, event, tried?.kind);
  if (taken !== undefined) {
    const refusal = tried?.kind === 'dead' ? tried.refusal : undefined;
    const where = refusal === undefined || refusal.column === '' ? '' : `, refused by column "${refusal.column}"`;
    const was = `It was a dead letter${byImport(by)}${where}.`;
    const deadLetter = refusal && { ...refusal, isInTable: letter === 'none' ? false : undefined };
    const rest = { ...found, ...(deadLetter && { deadLetter }) };
    return ofReplayed(session, asked, { taken, was, table, rest });
  }
  if (tried?.kind === 'dead') return wasDead(tried, { letter, table, found });
  if (!isCertain && table?.hasRow !== true)
    return {
      state: 'unknown',
      text: 'Whether the sink was enabled when it was accepted is not known any more, and no table has it by its id.',
    };
  if (event.missing === 'lost' && table?.hasRow !== true)
    return {
      state: 'lost',
      text: 'The log has lost it; unless the sink took it before, it is counted as a hole.',
      ...by,
    };
  return ofRow({ tried, note, table, found, progress, event });
}

/** The import that loaded its offset, the newest of several. */
function noteOf(notes: readonly ImportNote[], { partition, offset }: PlacedEvent): ImportNote | undefined {
  return notes.findLast(
    ({ verdict, ranges = [] }) =>
      verdict === 'loaded' &&
      ranges.some((range) => range.partition === partition && range.from < offset && offset <= range.to),
  );
}

/** Mapping versions that may have made its outcome, ascending: they grow with the offsets of a partition. */
function versionsOf({ progress, notes }: Decided, { partition, offset }: PlacedEvent): readonly number[] {
  const imported = notes.flatMap(({ verdict, ranges = [], mappingVersion }) =>
    verdict === 'loaded' ? ranges.map((range) => ({ ...range, mappingVersion })) : [],
  );
  const made = [...imported, ...heldSlices(progress)].filter((one) => one.partition === partition);
  const before = made.filter(({ to }) => to < offset).map(({ mappingVersion }) => mappingVersion);
  const behind = made.filter(({ from }) => from >= offset).map(({ mappingVersion }) => mappingVersion);
  const least = Math.max(1, ...before);
  const most = Math.min(progress.mappedWith?.[partition] ?? progress.mappingVersion, ...behind);
  return Array.from({ length: Math.max(0, most - least + 1) }, (_, index) => least + index);
}

/** So many versions are tried of an event of which nobody knows the version. */
const triedVersions = 8;

/** What all versions make of the event, when they make the same. */
async function agreed(
  session: TraceSession,
  asked: Asked,
  versions: readonly number[],
): Promise<TriedOutcome | undefined> {
  let agreedOn: TriedOutcome | undefined;
  for (const version of versions.slice(-triedVersions)) {
    const tried = await triedOf(session, asked, version);
    if (tried === undefined || (agreedOn !== undefined && agreedOn.kind !== tried.kind)) return undefined;
    agreedOn = tried;
  }
  return versions.length > triedVersions ? undefined : agreedOn;
}

type Import = Pick<SinkTrace, 'import'>;

function ofLetter(letter: Letter, { by, facts }: { readonly by: Import; readonly facts?: IncarnationFacts }): Told {
  const { reason, column, message, place, mappingVersion } = letter;
  const { text: left, ...replay } = facts === undefined ? { text: '' } : leftBy(facts, letter, by.import);
  const where = column === '' ? '' : ` by column "${column}"`;
  const text = `It is a dead letter${byImport(by)}, refused${where}: ${sentence(message)}${left}`;
  return {
    state: 'dead',
    text,
    mappingVersion,
    deadLetter: { reason, column, message, place, isInTable: true },
    ...by,
    ...replay,
  };
}

function byImport({ import: by }: Import): string {
  return by === undefined ? '' : `, loaded by import ${by.number} at ${at(by.at)}`;
}

interface WasDead {
  readonly letter: 'none' | undefined;
  readonly table: TracedTable | undefined;
  readonly found: Import & Pick<SinkTrace, 'mappingVersion' | 'table'>;
}

/** Its mapping refused it, and the dead letter table does not show it. */
function wasDead({ refusal }: Extract<TriedOutcome, { kind: 'dead' }>, { letter, table, found }: WasDead): Told {
  const isInTable = letter === 'none' ? false : undefined;
  const deadLetter = { ...refusal, isInTable };
  if (table?.hasRow === true)
    return {
      state: 'replayed',
      text: `It was a dead letter, which was replayed: ${table.tableId} has its row.`,
      deadLetter,
      ...found,
    };
  const gone =
    isInTable === undefined
      ? 'whether the dead letter table still has it is not known now'
      : 'the dead letter table does not have it any more: it was replayed, or removed';
  return { state: 'dead', text: `It became a dead letter${byImport(found)}; ${gone}.`, deadLetter, ...found };
}

interface Row {
  readonly tried: TriedOutcome | undefined;
  readonly note: ImportNote | undefined;
  readonly table: TracedTable | undefined;
  readonly found: Import & Pick<SinkTrace, 'mappingVersion' | 'table'>;
  readonly progress: SinkProgress;
  readonly event: PlacedEvent;
}

function ofRow({ tried, note, table, found, progress, event }: Row): Told {
  const { givenUp, holes } = totalsOf(progress, event.partition);
  const isSeen = table?.hasRow === true;
  const isAccounted = note !== undefined || givenUp === 0;
  if (isSeen || (tried?.kind === 'row' && isAccounted)) return { state: 'row', text: rowText(table, found), ...found };
  if (tried === undefined) {
    const what = note === undefined ? 'The sink has passed it' : `Its offset was imported${byImport(found)}`;
    const lost = holes + givenUp > 0 ? ', lost' : '';
    const because =
      event.record === undefined ? 'the log does not have it any more' : 'its mapping could not be run again';
    return {
      state: 'unknown',
      text: `${what}: as a row, or filtered${lost}. Which of these is not known, because ${because}.`,
      ...found,
    };
  }
  const text = 'Its row was imported, or given up after a week of failures: the history of imports does not say which.';
  return { state: 'unknown', text, ...found };
}

function rowText(table: TracedTable | undefined, found: Import): string {
  const how = found.import === undefined ? ', loaded by an import that the history does not have' : byImport(found);
  if (table?.hasRow !== false) return `It is a row${table === undefined ? '' : ` of ${table.tableId}`}${how}.`;
  return `It became a row of ${table.tableId}${how}; the table has no row with its id any more: somebody has removed or replaced it.`;
}

/** The document is gone: what the tables have is all that is left. */
export async function ofGone(session: TraceSession, { incarnation, event, sink }: Asked): Promise<Told> {
  const place = { incarnation, partition: event.partition, offset: event.offset, eventId: event.id };
  const letter = await findLetter(session.parts, place, session.options);
  if (letter !== undefined && letter !== 'none') return ofLetter(letter, { by: {} });
  const { tableId, columns } = sink.table;
  const mapping = { incarnation, version: sink.mappingVersion, tableId, columns, allowedSignals: sink.allowedSignals };
  const table = await findRow(session.parts, { mapping, eventId: event.id }, session.options);
  if (table?.hasRow === true) return { state: 'row', text: `It is a row of ${table.tableId}.`, table };
  const text =
    'The sink was deleted and has delivered everything; what became of the event is not kept, and no table has it by its id.';
  return { state: 'unknown', text, ...(table && { table }) };
}
