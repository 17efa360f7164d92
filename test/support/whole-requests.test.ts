import { describe, expect, it } from 'vitest';
import type { WitnessedRequest } from './otlp-witness.ts';
import { judge } from './whole-requests.ts';

const request = (outcome: WitnessedRequest['outcome'], isTold: boolean, numbers = [1, 2]): WitnessedRequest => ({
  numbers,
  outcome,
  isTold,
});
const taken = request('stored', true);
const lost = request('stored', false);
const cut = request('unclear', false);
const unsure = request('unclear', true);
const refused = request('refused', true);
const away = request('unreached', false);

describe('the judgement of requests that are sent again', () => {
  it.each([
    ['once', [taken], [1, 1]],
    ['once after it was refused', [refused, away, taken], [1, 1]],
    ['twice when the answer to the first was lost', [lost, taken], [2, 2]],
    ['once when the first was cut off', [cut, taken], [1, 1]],
    ['twice when the first was cut off and stored', [cut, taken], [2, 2]],
    ['twice when the product did not know of the first', [unsure, taken], [2, 2]],
    ['not at all when nobody was told', [cut, away], [0, 0]],
  ])('is content with a batch that is there %s', (_what, requests, [one = 0, two = 0]) => {
    const stored = new Map([
      [1, one],
      [2, two],
    ]);
    expect(judge(requests, stored)).toEqual({ wrong: [], repeated: one > 1 ? 1 : 0, unknown: [] });
  });

  it.each([
    ['is lost', [taken], [0, 0]],
    ['is lost in part', [taken], [1, 0]],
    ['is lost although the sender does not know', [lost, taken], [1, 1]],
    ['is there twice', [taken], [2, 2]],
    ['is there twice in part', [cut, taken], [2, 1]],
    ['is there in part after a cut', [cut], [1, 0]],
    ['is there although it was refused', [refused], [1, 1]],
    ['is there twice although the first was refused', [refused, taken], [2, 2]],
    ['is there thrice after one cut', [cut, taken], [3, 3]],
    ['is sent again after its answer came', [taken, taken], [2, 2]],
  ])('complains of a batch that %s', (_what, requests, [one = 0, two = 0]) => {
    const stored = new Map([
      [1, one],
      [2, two],
    ]);
    expect(judge(requests, stored).wrong).toHaveLength(1);
  });

  it('complains of rows that no request had, and of batches that change', () => {
    expect(judge([taken], new Map([1, 2, 3].map((number) => [number, 1]))).unknown).toEqual([3]);
    expect(() => judge([cut, request('stored', true, [2, 3])], new Map())).toThrow('moved from one batch');
  });
});
