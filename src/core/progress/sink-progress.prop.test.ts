import { describe, expect, test } from 'vitest';
import { search } from '../../../test/support/model/history.ts';
import { mutations } from '../../../test/support/model/mutations.ts';
import { productRules } from '../../../test/support/model/rules.ts';

// Replays a failure: MILLRACE_MODEL_SEED=<seed printed> vitest run src/core/progress/sink-progress.prop.test.ts
const seed = Number(process.env['MILLRACE_MODEL_SEED'] ?? 1);
const histories = 3000;

/** What must happen in some of the histories, or they would show nothing about it. */
const covered = [
  'take',
  'repeat',
  'outside',
  'stale read',
  'stale verdict',
  'hole',
  'ahead',
  'gap',
  'tear',
  'sink topic lost its middle',
  'lost run',
  'seal refused',
  'seal tried again',
  'slices side by side',
  'several sealed at once',
  'slices behind dropped',
  'staging is full',
  'late append',
  'late compare-and-set',
  'late load',
  'load unclear',
  'import abandoned',
  'replay loaded',
  'replay abandoned',
  'replay refused',
  'replay unclear',
  'late replay',
  'letters of a replay gone',
  'dead letters purged',
  'object collected',
  'stranger turned away',
  'mark unreadable',
  'given up',
  'parked',
  'parked for its content',
  'purge',
  'flush',
  'sink topic grown',
  'source made anew',
  'forgone',
  'mapping forgone',
  'source cut',
  'cut seen by a mapper',
  'cut seen by a reader',
  'switch of a source that was cut',
  'batch of another topic',
  'ends of another topic',
  'transaction commit',
  'transaction abort',
];

describe('the protocol under random histories', () => {
  test('D2, D3, D4: crashes, zombies, stale reads, late and doubled requests lose nothing, double nothing, and it settles', () => {
    const { found, seen } = search({ rules: productRules, seed, count: histories });
    const told = found === undefined ? '' : [`MILLRACE_MODEL_SEED=${seed}`, ...found.log, found.violation].join('\n');
    expect(told).toBe('');
    for (const what of covered) {
      expect(seen.get(what), `histories with: ${what}`).toBeGreaterThan(0);
    }
  });

  test('U1: every transition keeps what a newer release wrote into a part that stays', () => {
    const rules = { ...productRules, newerReleaseBeside: true };
    expect(search({ rules, seed: 3, count: 200 }).found).toBeUndefined();
  });

  test.each(mutations)('D2, D3, D4: the histories notice when this rule is taken away: $rule', ({ rules, near }) => {
    const found = (from: number, count: number): unknown =>
      search({ rules, seed: 2, from, count, shrink: false }).found;
    // Another history notices it once the model draws in another way: then all are tried.
    expect(found(near, 1) ?? found(0, 8000)).toBeDefined();
  });
});
