import { describe, expect, it } from 'vitest';
import { retain } from './retain.ts';

const question = {
  range: { first: 100, stableEnd: 200, durableEnd: 200, bytes: 10_000 },
  needed: 150,
  youngerThanInterval: 100,
  youngerThanMaxAge: 100,
  provenMaxAge: 100,
  isClockTrusted: true,
  maxBytes: 1_000_000,
};

describe('retain', () => {
  it('keeps everything younger than the interval while there is room', () => {
    expect(retain(question)).toEqual({ before: 100, isSpent: false });
  });

  it('removes what is past the interval and needed by no sink', () => {
    expect(retain({ ...question, youngerThanInterval: 120 })).toEqual({ before: 120, isSpent: false });
  });

  it('D2: never removes what a sink needs because of the interval or the bytes', () => {
    expect(retain({ ...question, youngerThanInterval: 190, maxBytes: 0 }).before).toBe(150);
  });

  it('removes the oldest beyond the bytes', () => {
    expect(retain({ ...question, maxBytes: 7000 })).toEqual({ before: 130, isSpent: false });
  });

  it('D8: says that the budget is spent when what sinks need is larger', () => {
    expect(retain({ ...question, maxBytes: 4000 })).toEqual({ before: 150, isSpent: true });
  });

  it('removes anything at its maximum age', () => {
    expect(retain({ ...question, youngerThanMaxAge: 180, provenMaxAge: 190 })).toEqual({ before: 180, isSpent: false });
  });

  it('D2: what a sink needs goes only as far as both clocks prove its age', () => {
    expect(retain({ ...question, youngerThanMaxAge: 200 }).before).toBe(100);
    expect(retain({ ...question, youngerThanMaxAge: 200, provenMaxAge: 160 }).before).toBe(160);
  });

  it('D2: nothing goes because of its age while the clock is in doubt; bytes that no sink needs still go', () => {
    const ages = { youngerThanInterval: 200, youngerThanMaxAge: 200, provenMaxAge: 200 };
    const doubted = { ...question, ...ages, isClockTrusted: false };
    expect(retain(doubted).before).toBe(100);
    expect(retain({ ...doubted, maxBytes: 7000 }).before).toBe(130);
  });

  it('has nothing to say of an empty partition', () => {
    const range = { first: 7, stableEnd: 7, durableEnd: 7, bytes: 0 };
    expect(retain({ ...question, range, needed: 7, youngerThanInterval: 7, youngerThanMaxAge: 7 })).toEqual({
      before: 7,
      isSpent: false,
    });
  });
});
