import type { Finding } from './finding.ts';

/** When a server was asked for its time, and when it had answered, by the clock of this machine. */
export interface Asked {
  readonly from: number;
  readonly to: number;
}

/** By how many milliseconds the clock of a server is ahead of this machine's, at least; negative where it is behind. */
export function clockOffset(serverMs: number, { from, to }: Asked): number {
  return serverMs < from ? serverMs - from : Math.max(0, serverMs - to);
}

/**
 * The finding for a server whose clock is `offMs` ahead. No promise rests on comparing the two clocks; people compare
 * them.
 */
export function clockFinding(server: string, offMs: number, toleratedMs = 2000): Finding {
  if (Math.abs(offMs) < toleratedMs)
    return { kind: 'good', about: 'clock', text: `The clocks of this machine and of the ${server} agree.` };
  const seconds = Math.round(Math.abs(offMs) / 1000);
  const way = offMs > 0 ? 'behind' : 'ahead of';
  const text = `The clock of this machine is ${seconds} s ${way} the clock of the ${server}: set both by NTP.`;
  return { kind: 'advice', about: 'clock', text };
}
