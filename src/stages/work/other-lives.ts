import type { Clock } from '../../core/clock.ts';
import { lifeLookMs } from '../../core/jobs/life-sign.ts';
import { lifeSignPrefix } from '../../documents/life-sign-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

export interface OtherLivesOptions {
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Whose sign stands still for so long has ended. 0: nobody else can live. */
  readonly goneMs: number;
}

interface Sign {
  /** Undefined: it has said nothing yet. */
  readonly revision: number | undefined;
  /** Since when it stands so, monotonic. */
  readonly since: number;
}

const readMs = 3000;

/**
 * Which of the lives have ended that run jobs elsewhere. By no clock but one's own, and by what was seen without a gap: while nobody could
 * look, nobody could speak either.
 */
export class OtherLives {
  readonly #options: OtherLivesOptions;
  readonly #signs = new Map<string, Sign>();
  /** When all of them were read last, monotonic. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  constructor(options: OtherLivesOptions) {
    this.#options = options;
  }

  /** To be called again and again, with those that matter. Never waits, never throws. */
  look(owners: ReadonlySet<string>, { signal }: Waiting): void {
    for (const owner of this.#signs.keys()) if (!owners.has(owner)) this.#signs.delete(owner);
    if (owners.size === 0 || this.#looking !== undefined || this.#options.goneMs === 0) return;
    this.#looking = this.#read(owners, AbortSignal.any([signal, AbortSignal.timeout(readMs)]))
      // It is looked again in a moment.
      .catch(() => undefined)
      .finally(() => {
        this.#looking = undefined;
      });
  }

  hasEnded(owner: string): boolean {
    const { goneMs, clock } = this.#options;
    if (goneMs === 0) return true;
    const sign = this.#signs.get(owner);
    const isSeen = clock.monotonic() - this.#lookedAt <= lifeLookMs;
    return isSeen && sign !== undefined && this.#lookedAt - sign.since >= goneMs;
  }

  /** Resolves when nothing of it is under way. */
  async settled(): Promise<void> {
    await this.#looking;
  }

  async #read(owners: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const { catalog, clock } = this.#options;
    const revision = async (owner: string): Promise<readonly [string, number | undefined]> => [
      owner,
      (await catalog.get('meta', lifeSignPrefix + owner, { signal }))?.revision,
    ];
    const found = await Promise.all(Array.from(owners, revision));
    const now = clock.monotonic();
    if (now - this.#lookedAt > lifeLookMs) this.#signs.clear();
    this.#lookedAt = now;
    for (const [owner, seen] of found) {
      const before = this.#signs.get(owner);
      if (before === undefined || before.revision !== seen) this.#signs.set(owner, { revision: seen, since: now });
    }
  }
}
