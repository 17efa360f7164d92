import type { Bench } from '../bench.ts';
import { compressionBench } from './compression.bench.ts';
import { rolesBench } from './roles.bench.ts';
import { threadsBench } from './threads.bench.ts';
import { twoMapsBench } from './two-maps.bench.ts';

/** All benches of a cluster by their names, in the order of the page. */
export const clusterBenches = {
  roles: rolesBench,
  threads: threadsBench,
  'two-maps': twoMapsBench,
  compression: compressionBench,
} as const satisfies Readonly<Record<string, Bench>>;

export type ClusterBenchName = keyof typeof clusterBenches;

export function isClusterBenchName(name: string): name is ClusterBenchName {
  return Object.hasOwn(clusterBenches, name);
}
