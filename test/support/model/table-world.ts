import type { Incarnation } from '../../../src/core/ids.ts';
import type { LedgerPosition } from '../../../src/core/progress/ledger.ts';
import type { RunningImport } from '../../../src/core/progress/sink-progress.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/** One line that an import loaded. */
export interface Loaded {
  readonly incarnation: Incarnation;
  readonly partition: number;
  readonly offset: number;
  readonly mappingVersion: number;
}

export type LoadAnswer = 'loaded' | 'abandoned' | 'refused' | 'error' | 'misfit' | 'unclear';

/** Source offsets of the lines in an object. */
export type Content = readonly number[];

/** The table store: lines, and a ledger that moves in the same step. */
export class TableWorld {
  readonly rows: Loaded[] = [];
  readonly dead: Loaded[] = [];
  readonly ledger = new Map<Incarnation, LedgerPosition>();
  /** What every object that was ever uploaded holds. */
  readonly contents = new Map<string, Content>();
  /** Slices that the table refuses, now and ever. */
  readonly poisoned = new Set<string>();
  readonly everPoisoned = new Set<string>();
  /** Mapping versions, `<incarnation>/<version>`, that do not fit the table now. */
  readonly misfits = new Set<string>();
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  load(incarnation: Incarnation, running: RunningImport): LoadAnswer {
    const fate = this.#world.fate();
    if (fate === 'request lost') return 'unclear';
    if (fate === 'delayed') {
      this.#world.late.push({ what: 'load', act: () => this.#load(incarnation, running) });
      return 'unclear';
    }
    const answer = this.#load(incarnation, running);
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
    for (const { partition, mappingVersion, rowsObject, deadObject } of running.slices) {
      const lines = (name: string | undefined): readonly Loaded[] =>
        (name === undefined ? [] : (this.contents.get(name) ?? [])).map((offset) => ({
          incarnation,
          partition,
          offset,
          mappingVersion,
        }));
      this.rows.push(...lines(rowsObject?.name));
      this.dead.push(...lines(deadObject?.name));
    }
    this.ledger.set(incarnation, { number: running.number, id: running.id, verdict: 'loaded' });
    this.#world.say('   table loads import', running.number, 'of', incarnation);
    return 'loaded';
  }

  /** Moves the ledger so that nobody loads this import any more. The verdict stands in the ledger. */
  abandon(incarnation: Incarnation, { number, id }: { readonly number: number; readonly id: string }): void {
    const fate = this.#world.fate();
    const act = (): void => {
      const move = this.#world.rules.judgeLedger(this.ledger.get(incarnation), { number, id });
      if (move.kind === 'move') this.ledger.set(incarnation, { number, id, verdict: 'abandoned' });
    };
    if (fate === 'delayed') this.#world.late.push({ what: 'abandon', act });
    else if (fate !== 'request lost') act();
  }
}
