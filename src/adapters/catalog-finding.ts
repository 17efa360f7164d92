import type { Waiting } from '../ports/waiting.ts';

/** One thing that was looked at on the server of a catalog. */
export interface CatalogFinding {
  /** `advice`: it works, and something about it should be mended. */
  readonly kind: 'good' | 'bad' | 'advice';
  readonly about: 'connection' | 'encoding' | 'durability' | 'clock' | 'rights' | 'format';
  /** A sentence for the operator. */
  readonly text: string;
}

export interface CheckCatalogOptions extends Waiting {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Beyond this the clocks of the machines are worth a word; nothing that is promised depends on them. */
const clockToleranceMs = 2000;

/** What an answer says about the clock of the server; the question was asked `tookMs` before the answer came, at about `askedAt`. */
export function clockFinding(serverMs: number, askedAt: number, tookMs: number): CatalogFinding {
  const aheadMs = Math.round(serverMs - askedAt - tookMs / 2);
  if (Math.abs(aheadMs) <= clockToleranceMs + tookMs / 2)
    return { kind: 'good', about: 'clock', text: `The server's clock and this machine's agree.` };
  const text = `The server's clock is ${aheadMs} ms ahead of this machine's; set both by NTP.`;
  return { kind: 'advice', about: 'clock', text };
}
