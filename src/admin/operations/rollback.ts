import type { Waiting } from '../../ports/event-log.ts';
import type { Chores } from '../tasks/chores.ts';

interface Step {
  readonly name: string;
  undo(options: Waiting): Promise<void>;
}

/** What an operation has made so far, to be taken back when it fails. */
export class Rollback {
  readonly #steps: Step[] = [];

  /** Notes how to take back what is about to be made, or was just made. `name` is unique to the thing. */
  add(name: string, undo: (options: Waiting) => Promise<void>): void {
    this.#steps.push({ name, undo });
  }

  /** Takes everything back, the last first; what cannot be taken back now is a chore. Never rejects. */
  async undo(chores: Chores): Promise<void> {
    const signal = AbortSignal.timeout(10_000);
    for (const step of this.#steps.toReversed()) {
      try {
        await step.undo({ signal });
      } catch {
        chores.add({ name: `undo ${step.name}`, attempt: async (options) => step.undo(options).then(() => true) });
      }
    }
  }
}
