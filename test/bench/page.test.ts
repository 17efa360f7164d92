import { expect, test } from 'vitest';
import { figureOf } from './figure.ts';
import { blockOf, tableOf, withBlock, type NamedResult } from './page.ts';
import { spreadOf } from './statistics.ts';

const found: NamedResult = {
  name: 'accept',
  machine: 'Measured on a machine.',
  result: {
    figures: [
      figureOf(spreadOf([1, 2, 3]), { what: 'accept', floor: '1.7', goal: '1.4', digits: 1, sides: '50 µs of 25 µs' }),
    ],
    costs: [
      {
        side: 'product',
        microseconds: spreadOf([50]),
        systemMicroseconds: 12,
        threads: [
          { part: 'main', microseconds: 40 },
          { part: 'V8', microseconds: 10 },
          { part: 'watchdog', microseconds: 0.01 },
        ],
        perSecond: spreadOf([20_000]),
        loaderShare: 0.184,
      },
    ],
    notes: ['something was skipped'],
  },
};

const block = `<!-- bench accept -->

Measured on a machine.

| what | measured | floor | goal | sides |
|---|---|---|---|---|
| accept | 2.0 (1.5–2.5) | 1.7 | 1.4 | 50 µs of 25 µs |

| side | processor time of an event | by thread | in the system | rate | loader |
|---|---|---|---|---|---|
| product | 50.0 µs | main 40.0, V8 10.0 | 12.0 µs | 20.0 k events/s | 18 % |

something was skipped

<!-- end of accept -->`;

test('a block of the page has figures with their spread, costs by thread, and what was skipped', () => {
  expect(blockOf(found)).toBe(block);
});

test('what was measured before is replaced, and what the page says beside it stays', () => {
  const page = `# Page\n\n<!-- bench accept -->\n\nold\n\n<!-- end of accept -->\n\nHow it is taken.\n`;
  const renewed = `# Page\n\n${block}\n\nHow it is taken.\n`;
  expect(withBlock(page, found)).toBe(renewed);
  expect(withBlock(renewed, found)).toBe(renewed);
});

test('a page without a place for a bench is not written', () => {
  expect(() => withBlock('# Page\n', found)).toThrow('the page has no place "<!-- bench accept -->"');
});

test('a terminal gets the same texts', () => {
  for (const text of ['accept. Measured on a machine.', '2.0 (1.5–2.5)', 'main 40.0, V8 10.0', 'something was skipped'])
    expect(tableOf(found)).toContain(text);
});
