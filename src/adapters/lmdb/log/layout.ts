import type { LogStore } from './store.ts';
import { layoutKey } from './keys.ts';

/** The counter of topics and members. Whoever changes either moves `version`, so that others need to look at one key. */
export interface Layout {
  readonly version: number;
  readonly nextTopic: number;
  /** Moves when a topic is deleted or grows: until then a topic that was seen once is as it was. */
  readonly deletions: number;
}

type LayoutChange = Partial<Omit<Layout, 'version'>>;

/** Decides on a change in the present snapshot; undefined: nothing is to be done. */
export type LayoutDecision = (layout: Layout) => LayoutPlan | undefined;

interface LayoutPlan {
  readonly change: LayoutChange;
  /** Puts and removes what goes along, in the same transaction. */
  readonly writes: (version: number) => void;
}

/** Reads and changes the layout by compare-and-set; changes of one thread go one after the other. */
export class LogLayout {
  readonly #store: LogStore;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(store: LogStore) {
    this.#store = store;
  }

  /** In the present snapshot. */
  read(): Layout {
    const found = this.#store.getJson(layoutKey) as Layout | undefined;
    return found ?? { version: 0, nextTopic: 1, deletions: 0 };
  }

  /** Decides anew until the decision could be written or there is nothing to do. True: something was written. */
  async change(decide: LayoutDecision): Promise<boolean> {
    const turn = this.#queue.then(() => this.#change(decide));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #change(decide: LayoutDecision): Promise<boolean> {
    for (;;) {
      this.#store.refresh();
      const layout = this.read();
      const plan = decide(layout);
      if (plan === undefined) return false;
      const version = layout.version + 1;
      const written = await this.#store.writeIf(layoutKey, layout.version === 0 ? undefined : layout.version, () => {
        plan.writes(version);
        this.#store.putJson(layoutKey, { ...layout, ...plan.change, version }, version);
      });
      if (written) return true;
    }
  }
}
