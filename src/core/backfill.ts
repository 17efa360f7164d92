/** Where a new sink begins: with the next event, with the oldest that the source keeps, or with the first of a time or later. */
export type Backfill = 'latest' | 'earliest' | { readonly kind: 'time'; readonly ms: number };

const time =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[T ](?<clock>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?<zone>Z|[+-]\d{2}:\d{2})?)?$/i;

/**
 * `latest`, `earliest`, or a time such as `2026-11-01`, `2026-11-01T00:00` or `2026-11-01T00:00:00+01:00`; UTC unless it says. Undefined
 * for anything else.
 */
export function parseBackfill(text: string): Backfill | undefined {
  if (text === 'latest' || text === 'earliest') return text;
  const parts = time.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const { date = '', clock = '00:00', zone = 'Z' } = parts;
  const midnight = Date.parse(`${date}T00:00Z`);
  // Some engines take a day that the month does not have for one of the next.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) return undefined;
  const ms = Date.parse(`${date}T${clock}${zone}`);
  return Number.isNaN(ms) || ms < 0 ? undefined : { kind: 'time', ms };
}

export const backfillRule =
  'must be "latest", "earliest" or a time such as "2026-11-01T00:00", which is UTC unless it says "+01:00" or the like';
