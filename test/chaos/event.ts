import type { Signal } from '../../src/core/event.ts';

/** Ways into a source: its HTTP endpoint, and a producer that appends to its topic. */
export type Door = 'http' | 'producer';

/** An event of the crash tests. All of it follows from its number, so that any table can be checked without a memory. */
export interface ChaosEvent {
  readonly number: number;
  readonly door: Door;
  /** Only a producer can say it. */
  readonly signal: Signal | undefined;
  /** False: it lacks the field that a strict sink wants. */
  readonly isComplete: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Has the number, for whoever does not read bodies. */
export const numberHeader = 'X-Number';

export function chaosEvent(number: number): ChaosEvent {
  const door = number % 5 === 0 ? 'producer' : 'http';
  const signal = number % 2 === 0 ? 'logs' : 'traces';
  const isComplete = number % 11 !== 0;
  const content = {
    n: number,
    text: textOf(number),
    a: 'a',
    b: 'b',
    pad: 'x'.repeat(number % 700),
    ...(isComplete ? { strict: 'yes' } : {}),
  };
  return {
    number,
    door,
    signal: door === 'producer' ? signal : undefined,
    isComplete,
    headers: { 'Content-Type': 'application/json', [numberHeader]: String(number) },
    body: JSON.stringify(content),
  };
}

/** Everything that CSV has to quote. */
export function textOf(number: number): string {
  return `event "${number}"\r\nwith, all: that`;
}
