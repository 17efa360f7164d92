import type { BenchOptions } from './bench.ts';

type Sides<Round> = Readonly<Record<string, () => Promise<Partial<Round>>>>;

/**
 * Measures all sides round by round, so that what both share of a minute cancels out of their ratio; each second round goes backwards, so
 * that none is always the first.
 */
export async function inTurns<Round>(
  { rounds, tell }: Pick<BenchOptions, 'rounds' | 'tell'>,
  sides: Sides<Round>,
): Promise<readonly Round[]> {
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const order = Object.entries(sides);
    const found: Partial<Round>[] = [];
    for (const [name, measure] of round % 2 === 0 ? order : order.toReversed()) {
      tell(`round ${round + 1} of ${rounds}: ${name}`);
      found.push(await measure());
    }
    measured.push(Object.assign({}, ...found) as Round);
  }
  return measured;
}
