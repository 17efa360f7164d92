import type { Incarnation } from '../../../src/core/ids.ts';
import { compareWithLedger } from '../../../src/core/accounts/ledger-witness.ts';
import type { LedgerPosition, LoadedCounts } from '../../../src/core/progress/ledger.ts';
import type { RunningImport, RunningReplay } from '../../../src/core/progress/sink-progress.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/** One line that an import loaded. */
export interface Loaded {
  readonly incarnation: Incarnation;
  readonly partition: number;
  readonly offset: number;
  readonly mappingVersion: number;
  /** It has taken the place of a dead letter, so that it comes after rows of later offsets. */
  readonly isReplayed?: true;
}

/** A dead letter that a replay names, and what the mapping made of it. */
export interface ReplayedLine {
  readonly partition: number;
  readonly offset: number;
  readonly becomes: 'row' | 'filtered';
}

export type LoadAnswer = 'loaded' | 'abandoned' | 'refused' | 'error' | 'misfit' | 'gone' | 'unclear';

/** Source offsets of the lines in an object. */
export type Content = readonly number[];

/** The table store: lines, and a ledger that moves in the same step. */
export class TableWorld {
  readonly rows: Loaded[] = [];
  dead: readonly Loaded[] = [];
  /** Dead letters that somebody has purged. */
  readonly purged: Loaded[] = [];
  readonly ledger = new Map<Incarnation, LedgerPosition>();
  /** What every object that was ever uploaded holds. */
  readonly contents = new Map<string, Content>();
  /** What a replay names, by the name of the object of its letters. */
  readonly replays = new Map<string, readonly ReplayedLine[]>();
  /** Slices that the table refuses, now and ever. */
  readonly poisoned = new Set<string>();
  readonly everPoisoned = new Set<string>();
  /** Mapping versions, `<incarnation>/<version>`, that do not fit the table now. */
  readonly misfits = new Set<string>();
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  makeLedger(incarnation: Incarnation): void {
    this.ledger.set(incarnation, { number: 0, id: '', verdict: 'loaded', loaded: { rows: 0, dead: 0 } });
  }

  load(incarnation: Incarnation, running: RunningImport): LoadAnswer {
    return this.#ask('load', () => this.#load(incarnation, running));
  }

  loadReplay(incarnation: Incarnation, running: RunningReplay): LoadAnswer {
    return this.#ask('replay', () => this.#loadReplay(incarnation, running));
  }

  #ask(what: string, act: () => LoadAnswer): LoadAnswer {
    const fate = this.#world.fate();
    if (fate === 'request lost') return 'unclear';
    if (fate === 'delayed') {
      this.#world.late.push({ what, act });
      return 'unclear';
    }
    const answer = act();
    return fate === 'answer lost' ? 'unclear' : answer;
  }

  #load(incarnation: Incarnation, running: RunningImport): LoadAnswer {
    const move = this.#world.rules.judgeLedger(this.ledger.get(incarnation), running);
    if (move.kind === 'decided') return move.verdict;
    if (move.kind === 'mismatch') return 'refused';
    if (running.slices.some(({ mappingVersion }) => this.misfits.has(`${incarnation}/${mappingVersion}`)))
      return 'misfit';
    if (running.slices.some(({ id }) => this.poisoned.has(id))) return 'error';
    if (new Set(running.slices.map(({ mappingVersion }) => mappingVersion)).size > 1)
      throw new Violation(`D7: import ${running.number} of ${incarnation} has rows of several mapping versions`);
    const rows: Loaded[] = [];
    const dead: Loaded[] = [];
    for (const { partition, mappingVersion, rowsObject, deadObject } of running.slices) {
      const lines = (name: string | undefined): readonly Loaded[] =>
        (name === undefined ? [] : (this.contents.get(name) ?? [])).map((offset) => ({
          incarnation,
          partition,
          offset,
          mappingVersion,
        }));
      rows.push(...lines(rowsObject?.name));
      dead.push(...lines(deadObject?.name));
    }
    this.rows.push(...rows);
    this.dead = [...this.dead, ...dead];
    this.#move(incarnation, { ...running, verdict: 'loaded' }, { rows: rows.length, dead: dead.length });
    this.#world.say('   table loads import', running.number, 'of', incarnation);
    return 'loaded';
  }

  /** In one step: the letters go, the rows come, the ledger moves; nothing of it when the letters are not there as they were named. */
  #loadReplay(incarnation: Incarnation, running: RunningReplay): LoadAnswer {
    const { rules } = this.#world;
    const move = rules.judgeLedger(this.ledger.get(incarnation), running);
    if (move.kind === 'decided') return move.verdict;
    if (move.kind === 'mismatch') return 'refused';
    const { id, mappingVersion, lettersObject } = running;
    if (this.misfits.has(`${incarnation}/${mappingVersion}`)) return 'misfit';
    if (this.poisoned.has(id)) return 'error';
    const named = this.replays.get(lettersObject.name) ?? [];
    const isNamed = (letter: Loaded): boolean =>
      letter.incarnation === incarnation &&
      named.some(({ partition, offset }) => partition === letter.partition && offset === letter.offset);
    const deleted = this.dead.filter(isNamed).length;
    if (!rules.hasTakenAll({ named: named.length, deleted })) return 'gone';
    this.dead = this.dead.filter((letter) => !isNamed(letter));
    const rows = named
      .filter(({ becomes }) => becomes === 'row')
      .map(({ partition, offset }) => ({ incarnation, partition, offset, mappingVersion, isReplayed: true as const }));
    this.rows.push(...rows);
    this.#move(incarnation, { ...running, verdict: 'loaded' }, { rows: rows.length, dead: -deleted });
    this.#world.say('   table loads replay', running.number, 'of', incarnation);
    return 'loaded';
  }

  /** The row, and what it counts. */
  #move(
    incarnation: Incarnation,
    { number, id, verdict }: LedgerPosition,
    loaded: LoadedCounts = { rows: 0, dead: 0 },
  ): void {
    const before = this.ledger.get(incarnation)?.loaded ?? { rows: 0, dead: 0 };
    const counts = { rows: before.rows + loaded.rows, dead: before.dead + loaded.dead };
    this.ledger.set(incarnation, { number, id, verdict, loaded: counts });
    this.requireWitness(incarnation);
  }

  /** At each instant the ledger counts what the document does. */
  requireWitness(incarnation: Incarnation): void {
    const document = this.#world.documents.get(incarnation);
    if (document === undefined) return;
    const comparison = compareWithLedger(document.value, this.ledger.get(incarnation));
    if (comparison.kind !== 'compared') return;
    const { rows, dead } = comparison.difference;
    if (rows !== 0 || dead !== 0)
      throw new Violation(`witness: the ledger of ${incarnation} differs by ${rows} rows and ${dead} dead letters`);
  }

  /** Somebody removes some dead letters of an incarnation for good; they stay counted. */
  purge(letters: readonly Loaded[]): void {
    this.purged.push(...letters);
    this.dead = this.dead.filter((letter) => !letters.includes(letter));
  }

  /** Moves the ledger so that nobody loads this import any more. The verdict stands in the ledger. */
  abandon(incarnation: Incarnation, { number, id }: { readonly number: number; readonly id: string }): void {
    const fate = this.#world.fate();
    const act = (): void => {
      const move = this.#world.rules.judgeLedger(this.ledger.get(incarnation), { number, id });
      if (move.kind === 'move') this.#move(incarnation, { number, id, verdict: 'abandoned' });
    };
    if (fate === 'delayed') this.#world.late.push({ what: 'abandon', act });
    else if (fate !== 'request lost') act();
  }
}
