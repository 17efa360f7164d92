import type { Incarnation } from '../core/ids.ts';
import type { InstallationId } from '../core/installation-id.ts';
import type { Waiting } from './waiting.ts';

/** What takes the mark of one installation: the first that claims it, and nobody else until somebody removes the mark by hand. */
export interface Claimable {
  /** Whose mark it has, as it is now; undefined when it has none. */
  claimant(options: Waiting): Promise<InstallationId | undefined>;
  /**
   * Gives it the mark when it has none, and answers whose mark it has then: if several claim at once, all get the same
   * answer. The mark is durable when this answers. A rejected claim may still have happened.
   */
  claim(installation: InstallationId, options: Waiting): Promise<InstallationId>;
  /**
   * Where what it holds is, in words: the same for all who use it, by whatever address, and another for another store. Undefined where only
   * the mark tells one store from another, as of a folder, which may be moved.
   */
  location(options: Waiting): Promise<string | undefined>;
}

/** The stores of a process that have a mark each. In a cluster both logs are the same Kafka, and have the same one. */
export const claimedStores = ['staging', 'source-log', 'sink-log', 'tables'] as const;
export type ClaimedStore = (typeof claimedStores)[number];

/** Whether what is in the stores is this installation's to remove. */
export interface Ownership {
  /**
   * Looks at the mark now. False when it is another installation's, when it is gone, and when nobody can tell; rejects
   * only on abort.
   */
  isOurs(store: ClaimedStore, options: Waiting): Promise<boolean>;
  /** The same for a caller that cannot skip what it is about to remove: rejects with the reason when it is not ours. */
  assertOurs(store: ClaimedStore, options: Waiting): Promise<void>;
}

/** What is in the stores, whoever put it there. */
export interface Holdings {
  /** Whether any of them has something of this incarnation; rejects while one of them cannot tell. */
  holds(incarnation: Incarnation, options: Waiting): Promise<boolean>;
}
