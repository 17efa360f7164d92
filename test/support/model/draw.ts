import { Exhausted } from './violation.ts';

/** An integer from 0 below `count`. `top` marks the draw of the next action: a history ends there. */
export type Draw = (count: number, top?: boolean) => number;

/** A pseudorandom number generator (mulberry32): numbers from 0 below 1. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Draws at random, `length` actions long, and notes every number in `trace`. */
export function recordingDraw(random: () => number, length: number, trace: number[]): Draw {
  let left = length;
  return (count, top = false) => {
    if (top) {
      left -= 1;
      if (left < 0) throw new Exhausted();
    }
    const value = Math.floor(random() * count);
    trace.push(value);
    return value;
  };
}

/** Draws the numbers of a trace again; past its end nothing goes wrong any more. */
export function replayingDraw(trace: readonly number[]): Draw {
  let at = 0;
  return (count, top = false) => {
    const value = trace[at];
    at += 1;
    if (value !== undefined) return value % count;
    if (top) throw new Exhausted();
    return 0;
  };
}
