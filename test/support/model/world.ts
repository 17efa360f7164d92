import type { Incarnation } from '../../../src/core/ids.ts';
import { conserve } from '../../../src/core/accounts/conservation.ts';
import { namedObjects } from '../../../src/core/progress/seal.ts';
import { entryOf, type SinkProgress } from '../../../src/core/progress/sink-progress.ts';
import { lostFields, withNewerFields } from '../newer-release.ts';
import type { Draw } from './draw.ts';
import { ModelLog } from './model-log.ts';
import type { Rules } from './rules.ts';
import { SourceLog } from './source-log.ts';
import { TableWorld } from './table-world.ts';
import { Violation } from './violation.ts';

/** An outcome without its line: the model knows what the line would be. */
export interface ModelOutcome {
  readonly kind: 'row' | 'dead' | 'filtered' | 'lost' | 'none';
  readonly from: number;
  readonly to: number;
  readonly mappingVersion: number;
  /** That `to` was read in; absent where it was read in none. */
  readonly epoch?: number;
}

/** What one partition's source offset, or a slice, was counted as in a document. */
export type Shadow =
  | {
      readonly kind: 'filtered' | 'hole' | 'none';
      readonly partition: number;
      readonly offset: number;
      /** A hole that a deleted incarnation made, because nobody could deliver it then; its source may come back. */
      readonly isForgone?: true;
    }
  | { readonly kind: 'givenUp'; readonly partition: number; readonly sliceId: string };

/** A document as the catalog has it; `shadows` says which offsets its totals count. */
export interface Stored {
  readonly revision: number;
  readonly value: SinkProgress;
  readonly shadows: readonly Shadow[];
}

export type Answer = 'ok' | 'fail' | 'unclear';
export type Step = Generator<undefined, void, undefined>;

export interface ModelActor {
  readonly id: number;
  readonly step: Step;
  asleep: boolean;
}

/** Most staged slices; far below the product's limit, so that histories meet it. */
export const mostStaged = 4;
/** How long an object may wait to be named, in steps. */
export const lease = 25;

/** A step of the model as the clocks of failures count it. */
export const stepMs = 60_000;
/** A slice that has failed for so many steps may be given up. */
export const keptSteps = 400;
/** A pause of the one that saw it fail that is longer proves nothing. */
export const longestPause = 300;

/** Two catalogs may be pointed at the same stores. */
export type Installation = 'own' | 'stranger';

/** Everything outside of the actors: the logs, the catalog, the object store, the tables; and the truth. */
export class World {
  readonly rules: Rules;
  readonly sinkNames: number;
  draw: Draw;
  clock = 0;
  /** How far the clock on the wall was set, in steps. */
  wallAhead = 0;
  faults = true;
  /** Nobody waits for triggers any more. */
  settling = false;
  /** The topic that the documents know. */
  readonly source: SourceLog[] = [];
  /** Another topic of the same name, while there is one instead; the first comes back before all is checked. */
  remade: Map<number, SourceLog> | undefined;
  /** How often the first came back. Processes stand still for that: no reading of ends goes on after it. */
  restores = 0;
  /** Whose the stores are: this installation was the first on them. */
  readonly mark: Installation = 'own';
  /** Truth: true where the source held an event, false where it held none. */
  readonly kept: boolean[][] = [];
  readonly documents = new Map<Incarnation, Stored>();
  readonly stale = new Map<Incarnation, Stored>();
  readonly graves = new Map<Incarnation, Stored>();
  readonly topics = new Map<Incarnation, ModelLog<ModelOutcome>[]>();
  readonly sinks = new Map<number, Incarnation>();
  /** Truth: by partition the ends of the intervals that the sink ever had, by start. */
  readonly intervals = new Map<Incarnation, Map<number, number | null>[]>();
  readonly damagedSink = new Set<string>();
  /** Truth: by `<incarnation>/<partition>` and offset the epoch of what a reader took. */
  readonly takenEpochs = new Map<string, Map<number, number>>();
  /** Truth: when a slice was seen to fail first. */
  readonly firstFailed = new Map<string, number>();
  /** Truth: incarnations whose slices were ever set aside. */
  readonly everParked = new Set<Incarnation>();
  readonly objects = new Map<string, { readonly stamp: number; readonly incarnation: Incarnation }>();
  readonly tables: TableWorld;
  late: { readonly what: string; readonly act: () => void }[] = [];
  readonly actors = new Map<string, ModelActor[]>();
  readonly seen = new Map<string, number>();
  readonly log: string[] | undefined;
  incarnations = 0;
  #serial = 0;

  constructor(rules: Rules, draw: Draw, { verbose }: { readonly verbose: boolean }) {
    this.rules = rules;
    this.draw = draw;
    this.log = verbose ? [] : undefined;
    const partitions = 1 + this.choose(3);
    this.sinkNames = 1 + this.choose(3);
    for (let partition = 0; partition < partitions; partition += 1) this.addPartition();
    this.tables = new TableWorld(this);
  }

  /** Milliseconds, as the clock on the wall of every process has it. */
  get wall(): number {
    return (this.clock + this.wallAhead) * stepMs;
  }

  get partitions(): readonly number[] {
    return this.source.map((_, partition) => partition);
  }

  choose(count: number): number {
    return this.draw(count);
  }

  /** A number that was never given before. */
  serial(): number {
    this.#serial += 1;
    return this.#serial;
  }

  say(...words: readonly unknown[]): void {
    this.log?.push(words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' '));
  }

  /** Counts that something happened, to know what the histories cover. */
  hit(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  /** What becomes of a request: it may get lost, its answer may get lost, or it takes effect much later. */
  fate(): 'fine' | 'answer lost' | 'request lost' | 'delayed' {
    if (!this.faults) return 'fine';
    return (['answer lost', 'request lost', 'delayed'] as const)[this.choose(16) - 13] ?? 'fine';
  }

  restoreSource(): void {
    if (this.remade !== undefined) this.restores += 1;
    this.remade = undefined;
  }

  /** What the source's name stands for now, by partition: the topic that the documents know, or one that was made anew. */
  namedLog(partition: number): SourceLog {
    if (this.remade === undefined) return this.sourceLog(partition);
    const log = this.remade.get(partition) ?? new SourceLog();
    this.remade.set(partition, log);
    return log;
  }

  sourceLog(partition: number): SourceLog {
    return found(this.source[partition], 'source partition');
  }

  sinkLog(incarnation: Incarnation, partition: number): ModelLog<ModelOutcome> | undefined {
    return this.topics.get(incarnation)?.[partition];
  }

  addPartition(): void {
    this.source.push(new SourceLog());
    this.kept.push([]);
    for (const partitions of this.intervals.values()) partitions.push(new Map());
    for (const stored of this.documents.values()) this.#learn(stored);
  }

  /** Gives the topic of a sink so many partitions; does nothing when it has them, or is gone. */
  growTopic(incarnation: Incarnation, partitions: number): void {
    const topic = this.topics.get(incarnation);
    if (topic === undefined || topic.length >= partitions) return;
    while (topic.length < partitions) topic.push(new ModelLog());
    this.say('sink topic grown', incarnation, partitions);
    this.hit('sink topic grown');
  }

  /** Ends an open transaction of the source; aborted, it held no events. */
  endTransaction(partition: number, transaction: number, outcome: 'commit' | 'abort'): void {
    const log = this.sourceLog(partition);
    const kept = found(this.kept[partition], 'kept events');
    const offsets = log.resolve(transaction);
    kept.push(false);
    if (outcome === 'abort') {
      for (const offset of offsets) {
        kept[offset] = false;
        log.forget(offset);
      }
    }
    this.hit(`transaction ${outcome}`);
    this.say(outcome, partition, [...offsets], 'stable', log.stableEnd, 'end', log.end);
  }

  /** Only a fresh read is linearizable; another may answer from a replica that lags. */
  read(incarnation: Incarnation, { fresh = false } = {}): Stored | undefined {
    const old = this.stale.get(incarnation);
    if (!fresh && this.faults && old !== undefined && this.choose(8) === 0) {
      this.hit('stale read');
      return old;
    }
    return this.documents.get(incarnation);
  }

  compareAndSet(incarnation: Incarnation, before: Stored, after: Omit<Stored, 'revision'>): Answer {
    const fate = this.fate();
    if (fate === 'request lost') return 'unclear';
    const act = (): Answer => this.#write(incarnation, before.revision, after);
    if (fate === 'delayed') {
      this.late.push({ what: 'compare-and-set', act });
      return 'unclear';
    }
    const answer = act();
    this.hit(`compare-and-set ${answer}`);
    return fate === 'answer lost' ? 'unclear' : answer;
  }

  #write(incarnation: Incarnation, revision: number, after: Omit<Stored, 'revision'>): Answer {
    const current = this.documents.get(incarnation);
    if (current?.revision !== revision) return 'fail';
    for (const name of namedObjects(after.value)) {
      if (!this.objects.has(name))
        throw new Violation(`object: the document names ${name}, which the clean-up deleted`);
    }
    const [lost] = this.rules.newerReleaseBeside ? lostFields(current.value, after.value) : [];
    if (lost !== undefined) throw new Violation(`newer release: its field is lost in ${lost}`);
    this.stale.set(incarnation, current);
    this.begin(incarnation, after);
    return 'ok';
  }

  /** Makes the document what it is now, whatever it was. */
  begin(incarnation: Incarnation, after: Omit<Stored, 'revision'>): void {
    const value = this.rules.newerReleaseBeside ? withNewerFields(after.value) : after.value;
    const stored = { ...after, value, revision: this.serial() };
    this.documents.set(incarnation, stored);
    if (stored.value.parked.length > 0) this.everParked.add(incarnation);
    this.#learn(stored);
    this.tables.requireWitness(incarnation);
    for (const partition of this.partitions) {
      const { end } = this.sourceLog(partition);
      const { difference, accepted } = conserve(stored.value, partition, { end });
      if (difference !== 0) throw new Violation(`D4: incarnation ${incarnation}/${partition} differs by ${difference}`);
      // A log that was cut may end below what was taken of it.
      const reached = Math.max(end, entryOf(stored.value, partition).source + 1);
      const wanted = this.#everWanted(incarnation, { partition, end: reached });
      if (accepted !== wanted)
        throw new Violation(
          `N2: incarnation ${incarnation}/${partition} accepted ${accepted} where it wanted ${wanted}`,
        );
    }
  }

  /** How many offsets all intervals that an incarnation ever had hold below an end of the source. */
  #everWanted(
    incarnation: Incarnation,
    { partition, end }: { readonly partition: number; readonly end: number },
  ): number {
    const known = found(found(this.intervals.get(incarnation), 'truth')[partition], 'truth of a partition');
    return [...known].reduce((sum, [start, last]) => sum + Math.max(0, Math.min(last ?? end, end) - start), 0);
  }

  #learn({ value }: Stored): void {
    const truth = found(this.intervals.get(value.incarnation), 'truth');
    for (const partition of this.partitions) {
      const known = found(truth[partition], 'truth of a partition');
      if (value.entries[partition] === undefined) known.clear();
      for (const { start, end } of entryOf(value, partition).intervals) known.set(start, end);
    }
  }

  append(incarnation: Incarnation, partition: number, batch: readonly ModelOutcome[]): Answer {
    const fate = this.fate();
    const topic = this.sinkLog(incarnation, partition);
    if (topic === undefined) return 'ok';
    if (fate === 'request lost') return 'unclear';
    if (fate === 'delayed') {
      this.late.push({ what: 'append', act: () => topic.append(...batch) });
      return 'unclear';
    }
    topic.append(...batch);
    return fate === 'answer lost' ? 'unclear' : 'ok';
  }
}

/** A value that the model itself has put there. */
export function found<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`the model has lost its ${what}`);
  return value;
}
