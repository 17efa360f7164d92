import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseIncarnation } from '../../core/ids.ts';
import { FreeNumbers } from './free-numbers.ts';

const command = fc.record({
  kind: fc.constantFrom('ask', 'ask', 'ask', 'skip', 'list', 'answer', 'make', 'make', 'remove', 'bring back'),
  at: fc.nat(7),
});

/** A look through the topics that began, and what it found. */
interface Look {
  readonly asked: number;
  found: ReadonlySet<number> | undefined;
}

it('D3: no number that the log holds is said to be free, whatever is side by side, late, removed or brought back', () => {
  let free = 0;
  fc.assert(
    fc.property(fc.array(command, { maxLength: 80, size: 'max' }), (commands) => {
      const numbers = new FreeNumbers();
      const topics = new Set<number>();
      /** Were told that they may make their topic, and have not yet. */
      const allowed: number[] = [];
      const looks: Look[] = [];
      let last = 0;
      const ask = (): void => {
        last += 1;
        const isFree = numbers.isFree(parseIncarnation(last));
        expect(isFree && topics.has(last), `${last} is there`).toBe(false);
        if (isFree) free += 1;
        if (isFree) allowed.push(last);
        else looks.push({ asked: last, found: undefined });
      };
      for (const { kind, at } of commands) {
        const look = looks[at % Math.max(1, looks.length)];
        if (kind === 'ask') ask();
        else if (kind === 'skip') last += at === 7 ? 100 : 1;
        else if (kind === 'list' && look !== undefined) look.found ??= new Set(topics);
        else if (kind === 'answer' && look?.found !== undefined) {
          looks.splice(looks.indexOf(look), 1);
          numbers.looked(parseIncarnation(look.asked), Math.max(0, ...look.found));
          // One that is held is refused; a look that does not know that yet is of two that have the same number, and no matter of these.
          if (!look.found.has(look.asked)) allowed.push(look.asked);
        } else if (kind === 'make' && allowed.length > 0) topics.add(allowed.splice(at % allowed.length, 1)[0] ?? 0);
        else if (kind === 'remove') topics.delete([...topics][at % Math.max(1, topics.size)] ?? 0);
        else if (kind === 'bring back') last = Math.max(0, last - at);
      }
    }),
    { numRuns: 2000 },
  );
  expect(free).toBeGreaterThan(100);
});
