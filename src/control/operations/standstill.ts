import { conserveAll, sumConservation } from '../../core/accounts/conservation.ts';
import type { Clock } from '../../core/clock.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Ends } from '../../core/progress/source-ends.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { readMissingServers } from '../store/read-missing-servers.ts';

/** An incarnation that has not delivered all that it was asked for. */
export interface Late {
  readonly progress: SinkProgress;
  readonly ends: Ends;
}

/** How many events of what is late are not staged, and how many of those that are not imported. */
export function restOf(late: readonly Late[]): { readonly inFlight: number; readonly staged: number } {
  return sumConservation(late.flatMap(({ progress, ends }) => conserveAll(progress, ends)));
}

/** Notes since when nothing of what is late is staged or imported any more, and no import of it runs. */
export class Standstill {
  readonly #clock: Clock;
  #last: { readonly rest: string; readonly at: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** To be asked again and again: true when it has been so for so long. */
  isSince(late: readonly Late[], ms: number): boolean {
    const { inFlight, staged } = restOf(late);
    const isImporting = late.some(({ progress }) => progress.importing !== undefined);
    const rest = `${inFlight} ${staged}`;
    const now = this.#clock.monotonic();
    if (isImporting || this.#last?.rest !== rest) this.#last = { rest, at: now };
    return now - this.#last.at >= ms;
  }
}

/** The servers without which processes of the installation cannot take the next step with what is late. */
export async function missingFor(
  parts: Pick<Parts, 'catalog' | 'clock'>,
  late: readonly Late[],
  options: Waiting,
): Promise<readonly string[]> {
  const { inFlight, staged } = restOf(late);
  const needed = [...(inFlight > 0 ? ['map', 'stage'] : []), ...(staged > 0 ? ['import'] : [])];
  const missing = await readMissingServers(parts, options);
  return missing
    .map((one) => ({ ...one, roles: one.roles.filter((role) => needed.includes(role)) }))
    .filter(({ roles }) => roles.length > 0)
    .map(
      ({ process, server, roles, message, since }) =>
        `${roles.join(', ')} of ${process} without ${server} since ${since}: ${message}`,
    );
}
