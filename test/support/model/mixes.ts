import type { Action } from './actions.ts';

/** How often what happens, by the kind of trouble that a history is about. */
const weights = {
  plain: { step: 40, produce: 12, crash: 2, rebalance: 2, sleep: 1, wake: 1, operate: 3, collect: 1, late: 2 },
  crash: { step: 36, produce: 10, crash: 10, rebalance: 4, sleep: 2, wake: 2, operate: 3, collect: 1, late: 2 },
  zombie: { step: 40, produce: 10, crash: 2, rebalance: 8, sleep: 6, wake: 5, operate: 3, collect: 2, late: 3 },
  config: {
    step: 40,
    produce: 12,
    crash: 3,
    rebalance: 4,
    sleep: 3,
    wake: 3,
    operate: 14,
    transact: 4,
    collect: 1,
    late: 2,
    grow: 1,
    remake: 1,
    forgo: 2,
  },
  trim: {
    step: 40,
    produce: 12,
    crash: 4,
    rebalance: 4,
    sleep: 3,
    wake: 3,
    operate: 4,
    transact: 1,
    trimSource: 3,
    damageSink: 4,
    collect: 1,
    late: 2,
    remake: 1,
  },
  cut: {
    step: 40,
    produce: 10,
    crash: 4,
    rebalance: 5,
    sleep: 4,
    wake: 4,
    operate: 4,
    elect: 3,
    collect: 1,
    late: 2,
  },
  collect: {
    step: 40,
    produce: 8,
    crash: 2,
    rebalance: 6,
    sleep: 6,
    wake: 6,
    operate: 2,
    collect: 8,
    intrude: 2,
    late: 3,
    spoil: 4,
    setClock: 4,
  },
  all: {
    step: 50,
    produce: 12,
    crash: 5,
    rebalance: 6,
    sleep: 5,
    wake: 5,
    operate: 8,
    transact: 2,
    trimSource: 2,
    damageSink: 2,
    collect: 3,
    late: 3,
    spoil: 2,
    setClock: 2,
    grow: 1,
    remake: 1,
    forgo: 2,
  },
} as const satisfies Record<string, Partial<Record<Action, number>>>;

export type Mix = keyof typeof weights;
export const mixes = Object.keys(weights) as readonly Mix[];

/** Each action as often as its weight says, to draw from. */
export const actionTables: Readonly<Record<Mix, readonly Action[]>> = Object.fromEntries(
  Object.entries(weights).map(([mix, table]) => [
    mix,
    Object.entries(table).flatMap(([action, weight]) => Array.from({ length: weight }, () => action)),
  ]),
) as unknown as Readonly<Record<Mix, readonly Action[]>>;
