import { partitionKey } from '../../ports/event-log.ts';
import type { AppendLane } from './append-lane.ts';
import type { AppendObserver, AppendTrouble } from '../../telemetry/observe-appends.ts';

/** Tells an observer each change of what is wrong with partitions, once. */
export class AppendTroubles {
  readonly #observer: AppendObserver | undefined;
  readonly #told = new Map<string, AppendTrouble>();

  constructor(observer: AppendObserver | undefined) {
    this.#observer = observer;
  }

  /** Takes all partitions that have work or trouble; the others are well. */
  look(lanes: Iterable<AppendLane>): void {
    const now = new Map<string, AppendTrouble>();
    for (const { trouble } of lanes) if (trouble !== undefined) now.set(partitionKey(trouble.at), trouble);
    for (const [key, { at }] of this.#told) {
      if (now.has(key)) continue;
      this.#told.delete(key);
      this.#observer?.mended(at);
    }
    for (const [key, trouble] of now) {
      if (this.#told.get(key)?.condition === trouble.condition) continue;
      this.#told.set(key, trouble);
      this.#observer?.troubled(trouble);
    }
  }
}
