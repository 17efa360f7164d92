import { printable } from '../printable.ts';
import type { Reader } from '../print.ts';
import { relativeTime } from '../relative-time.ts';
import type { FindingShape } from './trace-client.ts';

/** A line a finding, and one for what to do about it; a person also sees how long it is until what comes next. */
export function findingLines(
  findings: readonly FindingShape[],
  { human }: Pick<Reader, 'human'>,
  now: number,
): string[] {
  return findings.flatMap(({ text, nextAt, action }) => {
    const until = human && nextAt !== undefined ? ` (${relativeTime(Date.parse(nextAt) - now)})` : '';
    const line = `  - ${printable(text)}${until}`;
    return action === undefined ? [line] : [line, `    What to do: ${printable(action)}`];
  });
}
