import { expect, it } from 'vitest';
import type { ProgressShape } from '../../src/cli/progress-shape.ts';
import { compareNumbers } from './compare-numbers.ts';
import { compareTables, expectedCells, type Finding, type Tables } from './compare-tables.ts';
import { githubDeliveries } from './github-deliveries.ts';

const sent = githubDeliveries().slice(0, 3);

/** Tables as they must be: each delivery a row of both, joined by id. */
const tables: Tables = {
  events: sent.map(({ payload, headers }, index) => ({
    id: `id-${index}`,
    ...expectedCells(payload),
    headers: JSON.stringify({
      'X-Github-Delivery': headers['X-GitHub-Delivery']?.[0],
      'X-Hub-Signature-256': headers['X-Hub-Signature-256']?.[0],
    }),
  })),
  raw: sent.map(({ body }, index) => ({ id: `id-${index}`, body: body.toString() })),
};

const failures = (findings: readonly Finding[]): readonly string[] => findings.flatMap(({ against }) => against);

it('finds nothing when every delivery is a row of both tables', () => {
  expect(failures(compareTables(sent, tables))).toEqual([]);
});

it.each<[string, Partial<Tables>, RegExp]>([
  ['a lost row', { events: tables.events.slice(1) }, /is in no row/],
  ['a doubled row', { events: [...tables.events, tables.events[0]!] }, /is in 2 rows/],
  ['a row that nobody sent', { raw: [...tables.raw, { id: 'x', body: '{}' }] }, /raw: 4 instead of 3/],
  ['another byte in a body', { raw: tables.raw.map((row) => ({ ...row, body: `${row['body']} ` })) }, /body differs/],
  ['a wrong cell', { events: tables.events.map((row) => ({ ...row, sender: 'x' })) }, /sender is "x" but must be/],
  ['bodies under wrong ids', { raw: tables.raw.map((row, at) => ({ ...row, id: `id-${(at + 1) % 3}` })) }, /signature/],
])('notices %s', (_, change, expected) => {
  expect(failures(compareTables(sent, { ...tables, ...change })).join('\n')).toMatch(expected);
});

it('notices numbers that do not add up, and webhooks that were not accepted', () => {
  const progress = (accepted: number, imported: number, difference: number): ProgressShape => ({
    sourceId: 'github',
    sinkId: 'raw',
    takesEvents: true,
    staged: {},
    errors: [],
    totals: {
      accepted,
      imported,
      difference,
      staged: 0,
      inFlight: 0,
      dead: 0,
      filtered: 0,
      holes: 0,
      givenUp: 0,
      none: 0,
    },
  });
  expect(failures(compareNumbers(3, { answered: 3, sinks: [progress(3, 3, 0)] }))).toEqual([]);
  expect(failures(compareNumbers(3, { answered: 2, sinks: [progress(3, 2, 1)] }))).toEqual([
    'answered is 2 but must be 3',
    'rows is 2 but must be 3',
    'missing is 1 but must be 0',
  ]);
});
