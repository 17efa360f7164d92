import { isLong } from '../support/long-tests.ts';

/**
 * What a run of the crash tests takes: all items where tests take all the time that they need, else one of each group, by chance. Who calls
 * it prints the seed: it says which.
 */
export function someOf<Item>(groups: readonly (readonly Item[])[], random: () => number): readonly Item[] {
  return isLong ? groups.flat() : oneOfEach(groups, random);
}

/** One item of each group, each as likely as the others. */
export function oneOfEach<Item>(groups: readonly (readonly Item[])[], random: () => number): readonly Item[] {
  return groups.flatMap((group) => {
    const place = Math.floor(random() * group.length);
    return group.slice(place, place + 1);
  });
}

/** The seed of a run: what CHAOS_SEED says, else another one each time. It is printed, so that a failing run can be had again. */
export function seedOfRun(name: string): number {
  const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  console.log(`${name}: CHAOS_SEED=${seed}`);
  return seed;
}
