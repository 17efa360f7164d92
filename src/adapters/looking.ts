import type { Waiting } from '../ports/waiting.ts';

/** How a server is looked at. */
export interface Looking extends Waiting {
  /** Milliseconds since the epoch. */
  readonly now: number;
}
