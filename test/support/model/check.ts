import type { Incarnation } from '../../../src/core/ids.ts';
import { entryOf, totalsOf, type SinkProgress } from '../../../src/core/progress/sink-progress.ts';
import { importedStatistics } from '../../../src/core/progress/statistics.ts';
import { mapped } from './mapped.ts';
import type { Loaded } from './table-world.ts';
import { Violation } from './violation.ts';
import { found, type Stored, type World } from './world.ts';

type Decision = 'row' | 'dead' | 'filtered' | 'hole' | 'none' | 'givenUp';

/** The oracle: D2, D3, D4 and the order per partition, from the truth that only the model knows. */
export function check(world: World): void {
  checkLines(world);
  for (const incarnation of world.intervals.keys()) {
    const document = world.documents.get(incarnation) ?? found(world.graves.get(incarnation), 'grave');
    for (const partition of world.partitions) checkPartition(world, document, partition);
    checkStatistics(document);
  }
}

function checkLines(world: World): void {
  for (const [kind, lines] of [
    ['row', world.tables.rows],
    ['dead', world.tables.dead],
  ] as const) {
    const last = new Map<string, number>();
    for (const line of lines) {
      const where = `${line.incarnation}/${line.partition}`;
      const before = last.get(where) ?? -1;
      if (before === line.offset) throw new Violation(`D3: ${where} offset ${line.offset} is in a table twice`);
      // A parked slice and a replayed row come after later ones: the only cases in which order may change.
      if (before > line.offset && line.isReplayed === undefined && !world.everParked.has(line.incarnation))
        throw new Violation(`order: ${where} offset ${line.offset} after ${before}`);
      if (line.isReplayed === undefined) last.set(where, line.offset);
      if (mapped(line) !== kind) throw new Violation(`D7: ${where} offset ${line.offset} was made by another version`);
    }
  }
}

/** Everything that became of the offsets of a partition; an offset with two decisions breaks D3. */
function decisions(world: World, { value, shadows }: Stored, partition: number): ReadonlyMap<number, Decision> {
  const decided = new Map<number, Decision>();
  const decide = (offset: number, decision: Decision): void => {
    const before = decided.get(offset);
    if (before !== undefined)
      throw new Violation(`D3: ${value.incarnation}/${partition} offset ${offset} is ${before} and ${decision}`);
    decided.set(offset, decision);
  };
  const isHere = (line: Loaded): boolean => line.incarnation === value.incarnation && line.partition === partition;
  for (const line of world.tables.rows) if (isHere(line)) decide(line.offset, 'row');
  for (const line of [...world.tables.dead, ...world.tables.purged]) if (isHere(line)) decide(line.offset, 'dead');
  for (const shadow of shadows) {
    if (shadow.partition !== partition) continue;
    if (shadow.kind !== 'givenUp') decide(shadow.offset, shadow.kind);
    else for (const offset of contentOf(world, shadow.sliceId)) decide(offset, 'givenUp');
  }
  return decided;
}

function contentOf({ tables }: World, sliceId: string): readonly number[] {
  return ['rows', 'dead'].flatMap((part) => tables.contents.get(`${sliceId}.${part}`) ?? []);
}

/** The offsets that the sink's intervals want, in truth. */
function wanted(world: World, incarnation: Incarnation, partition: number): ReadonlySet<number> {
  const isAlive = world.documents.has(incarnation);
  const offsets = new Set<number>();
  for (const [start, end] of found(world.intervals.get(incarnation)?.[partition], 'truth')) {
    const stop = end ?? (isAlive ? world.sourceLog(partition).end : start);
    for (let offset = start; offset < stop; offset += 1) offsets.add(offset);
  }
  return offsets;
}

function checkPartition(world: World, document: Stored, partition: number): void {
  const { incarnation } = document.value;
  const where = `${incarnation}/${partition}`;
  const kept = found(world.kept[partition], 'kept events');
  const decided = decisions(world, document, partition);
  const want = wanted(world, incarnation, partition);
  const isStopped = entryOf(document.value, partition).cut !== undefined;
  if (!isStopped) requireOwnEvents(world, `${incarnation}/${partition}`, { partition, decided });
  // A sink that has stopped may have what is lost, and not what came after it; what was lost before it was mapped nobody wants any more.
  const { lostFrom, isCut, end: sourceEnd } = world.sourceLog(partition);
  const judged = isStopped ? lostFrom : Number.POSITIVE_INFINITY;
  const judgedEnd = isCut ? Math.min(judged, sourceEnd) : judged;
  for (const offset of want) {
    if (offset < judgedEnd && !decided.has(offset)) throw new Violation(`D2: ${where} offset ${offset} has no outcome`);
  }
  // Of the events from here on none was lost: what a sink topic loses of them is mapped again.
  const lost = world.sourceLog(partition).first;
  const forgone = new Set(
    document.shadows.flatMap((one) => ('isForgone' in one && one.partition === partition ? [one.offset] : [])),
  );
  for (const [offset, decision] of decided) {
    if (offset >= judged) continue;
    if (!want.has(offset)) throw new Violation(`outside: ${where} offset ${offset} is ${decision}, but not wanted`);
    if (decision === 'hole' && offset >= lost && !forgone.has(offset))
      throw new Violation(`false hole: ${where} offset ${offset}, but nothing was lost from ${lost} on`);
    if (offset >= world.sourceLog(partition).lostFrom) continue;
    const isEvent = kept[offset] === true;
    if ((decision === 'none' && isEvent) || (decision === 'filtered' && !isEvent))
      throw new Violation(`D4: ${where} offset ${offset} counts as ${decision}`);
  }
  checkTotals(document, partition, decided);
}

/**
 * Of a sink that goes on, nothing is of an event that the source has lost: what has its offset now would be taken for a
 * repeat. One that took nothing since wants nothing more, or has an alarm.
 */
function requireOwnEvents(
  world: World,
  where: string,
  { partition, decided }: { readonly partition: number; readonly decided: ReadonlyMap<number, Decision> },
): void {
  const log = world.sourceLog(partition);
  // What a reader took and could not seal is not decided.
  const taken = [...(world.takenEpochs.get(where) ?? [])].filter(([offset]) => decided.has(offset));
  const newest = Math.max(...taken.map(([, epoch]) => epoch));
  for (const [offset, epoch] of taken) {
    const now = log.epochOf(offset).epoch;
    // Where no event stands now none is lost, and nobody can tell.
    if (epoch < now && now <= newest && world.kept[partition]?.[offset] === true)
      throw new Violation(`cut: ${where} has offset ${offset} of epoch ${epoch}, the source has ${now}`);
  }
}

function checkTotals({ value }: Stored, partition: number, decided: ReadonlyMap<number, Decision>): void {
  const counts: Record<Decision, number> = { row: 0, dead: 0, filtered: 0, hole: 0, none: 0, givenUp: 0 };
  for (const decision of decided.values()) counts[decision] += 1;
  const totals = totalsOf(value, partition);
  const expected = {
    passed: decided.size,
    rows: counts.row,
    dead: counts.dead,
    filtered: counts.filtered,
    holes: counts.hole,
    none: counts.none,
    givenUp: counts.givenUp,
  };
  for (const key of ['passed', 'rows', 'dead', 'filtered', 'holes', 'none', 'givenUp'] as const) {
    if (totals[key] !== expected[key])
      throw new Violation(`D4: ${value.incarnation}/${partition} total ${key} is ${totals[key]}, not ${expected[key]}`);
  }
}

/** What people are told of imports is what conservation counts; a row of the model is one byte. */
function checkStatistics({ value }: Stored): void {
  let [rows, dead] = [0, 0];
  for (const one of Object.values(value.totals)) {
    rows += one.rows;
    dead += one.dead;
  }
  const told = importedStatistics(value);
  if (told.rows !== rows || told.dead !== dead || told.bytes !== rows || told.unsized !== 0)
    throw new Violation(
      `D4: ${value.incarnation} tells ${told.rows} rows, ${told.dead} dead letters and ${told.bytes} bytes of ${rows} and ${dead}`,
    );
}

/**
 * What a disable, delete or enable has done: an interval ends or begins where the source stood while the switch was made.
 * An end below the durable one would lose what was accepted before it; a beginning above the stable one, and above the end of
 * the interval before, what is accepted after it, as an open transaction is when it is committed.
 */
export function checkSwitched(world: World, { before, after, began }: Switched): void {
  for (const [partition, { stable, durable }] of began.entries()) {
    const log = world.sourceLog(partition);
    const [was, is] = [before, after].map((value) => entryOf(value, partition).intervals.at(-1));
    const isOpen = is?.end === null;
    if (isOpen === (was?.end === null) || log.isCut) continue;
    const edge = (isOpen ? is.start : is?.end) ?? -1;
    const lowest = isOpen ? stable : durable;
    const highest = isOpen ? Math.max(log.stableEnd, was?.end ?? 0) : log.end;
    if (edge < lowest || edge > highest) {
      const what = isOpen ? 'begins' : 'ends';
      const where = `${after.incarnation}/${partition}`;
      throw new Violation(`interval: ${where} ${what} at ${edge}, not from ${lowest} to ${highest}`);
    }
  }
}

export interface Switched {
  readonly before: SinkProgress;
  readonly after: SinkProgress;
  /** By partition, where the source stood before the document was read. */
  readonly began: readonly { readonly stable: number; readonly durable: number }[];
}

/** A flush that was found served: everything wanted below its ends is decided, and lines are in the tables. */
export function checkFlushed(world: World, document: Stored): void {
  const { incarnation, flush = {} } = document.value;
  for (const [partition, end] of Object.entries(flush)) {
    const decided = decisions(world, document, Number(partition));
    for (const offset of wanted(world, incarnation, Number(partition))) {
      if (offset < end && !decided.has(offset))
        throw new Violation(`flush: ${incarnation}/${partition} offset ${offset} is not delivered`);
    }
  }
}
