import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { product } from '../../rolldown.config.ts';

/** Node begins with these, a process or a thread each; the watchdog has nothing of the product. */
const { 'watchdog-entry': _, ...entries } = product;

it.each(Object.values(entries))('%s gives an older Node what it does not have before the rest is loaded', (file) => {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const provided = text.indexOf('\nprovideDisposableStack();');
  expect(provided).toBeGreaterThan(0);
  expect(text.indexOf('await import(')).toBeGreaterThan(provided);
});
