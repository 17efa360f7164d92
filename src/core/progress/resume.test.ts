import { describe, expect, test } from 'vitest';
import { isTornSince, resumePosition } from './resume.ts';
import type { PartitionEntry } from './sink-progress.ts';

const entry: PartitionEntry = { sink: 10, source: 7, intervals: [{ start: 0, end: null }], torn: { low: 0, end: 0 } };

describe('where a mapper resumes a sink', () => {
  test('D2: at the entry, whose position is never ahead of an outcome', () => {
    expect(resumePosition(entry)).toBe(7);
    const enabledAgain = [
      { start: 0, end: 12 },
      { start: 20, end: null },
    ];
    expect(resumePosition({ ...entry, intervals: enabledAgain })).toBe(7);
  });

  test('after the last outcome, when the sink topic holds all that was not taken', () => {
    expect(resumePosition(entry, { lastTo: 20, firstOffset: 10 })).toBe(20);
  });

  test('D2: at the entry, when the sink topic lost outcomes that were not taken', () => {
    expect(resumePosition(entry, { lastTo: 20, firstOffset: 11 })).toBe(7);
  });

  test('D2: at the entry, when an earlier loss reaches above it', () => {
    const torn = { ...entry, torn: { low: 10, end: 9 } };
    expect(resumePosition(torn, { lastTo: 20, firstOffset: 10 })).toBe(7);
    expect(resumePosition({ ...torn, torn: { low: 10, end: 8 } }, { lastTo: 20, firstOffset: 10 })).toBe(20);
  });

  test('never below the entry: the last outcome may be a repeat', () => {
    expect(resumePosition(entry, { lastTo: 3, firstOffset: 0 })).toBe(7);
  });

  test('a sink topic that was torn since is mapped again', () => {
    expect(isTornSince({ low: 0, end: 0 }, entry)).toBe(false);
    expect(isTornSince({ low: 0, end: 0 }, { ...entry, torn: { low: 4, end: 0 } })).toBe(true);
  });
});
