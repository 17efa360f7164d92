import type { Waiting } from '../../ports/waiting.ts';
import type { Chores } from '../tasks/chores.ts';

interface Step {
  readonly name: string;
  undo(options: Waiting): Promise<Undone>;
}

/** `kept`: somebody has used the thing by now, and with it everything that was made before it. */
export type Undone = 'kept' | void;

/** What an operation has made so far, to be taken back when it fails. */
export class Rollback {
  readonly #steps: Step[] = [];

  /** Notes how to take back what is about to be made, or was just made. `name` is unique to the thing. */
  add(name: string, undo: (options: Waiting) => Promise<Undone>): void {
    this.#steps.push({ name, undo });
  }

  /** Takes everything back, the last first, until something is kept; what cannot be taken back now is a chore. Never rejects. */
  async undo(chores: Chores): Promise<void> {
    const signal = AbortSignal.timeout(10_000);
    const left = this.#steps.toReversed();
    try {
      await undoAll(left, { signal });
    } catch {
      const attempt = async (options: Waiting): Promise<boolean> => {
        await undoAll(left, options);
        return true;
      };
      chores.add({ name: `undo ${left[0]?.name ?? ''}`, attempt });
    }
  }
}

/**
 * Removes what is done from `left`; stops at the first step that fails, because it may need what was made before it.
 */
async function undoAll(left: Step[], options: Waiting): Promise<void> {
  for (let step = left[0]; step !== undefined; step = left[0]) {
    if ((await step.undo(options)) === 'kept') return;
    left.shift();
  }
}
