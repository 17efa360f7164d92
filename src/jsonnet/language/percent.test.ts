import { expect, it } from 'vitest';
import { compile } from '../compile.ts';

it('% in a row and within itself compiles in one pass', () => {
  expect(compile(Array.from({ length: 400 }, () => '7').join(' % ')).evaluate()).toBe('0');
  expect(compile(`${'"%s" % ('.repeat(200)}1${')'.repeat(200)}`).evaluate()).toBe('"1"');
});
