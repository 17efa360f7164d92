import type { Incarnation } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';

interface SeenFloor {
  readonly floor: number;
  /** When this process saw it there first, on the clock that never jumps. */
  readonly since: number;
}

/**
 * Floors that the wall clock will not reach for a long time, because a clock that was ahead has raised them. Names are
 * stamped above the floor, so once the floor has stood for a lease, what was uploaded before is past its lease, and the
 * floor may go up by another one.
 */
export class StandingFloors {
  readonly #seen = new Map<Incarnation, SeenFloor>();

  /** Takes note of a floor; answers whether this process has seen it stand there for a whole lease. */
  hasStood(
    incarnation: Incarnation,
    { floor, monotonic }: { readonly floor: number; readonly monotonic: number },
  ): boolean {
    const seen = this.#seen.get(incarnation);
    if (seen?.floor === floor) return monotonic - seen.since > limits.uploadLeaseMs;
    this.#seen.set(incarnation, { floor, since: monotonic });
    return false;
  }

  /** Forgets the incarnations that are not among these. */
  keep(incarnations: ReadonlySet<Incarnation>): void {
    for (const incarnation of this.#seen.keys()) if (!incarnations.has(incarnation)) this.#seen.delete(incarnation);
  }
}
