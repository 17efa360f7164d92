import { expect, it } from 'vitest';
import { DoubtfulFiles } from './doubtful-files.ts';

it('D8: so many files are told apart; when more have failed any file is doubtful, and none is taken for sound', () => {
  const files = new DoubtfulFiles();
  for (let at = 0; at < 1000; at += 1) files.add(`/slices/${at}`);
  files.add('/slices/0');
  expect(files.has('/slices/sound')).toBe(false);
  files.delete('/slices/0');
  expect(files.has('/slices/0')).toBe(false);
  for (const path of ['/slices/0', '/slices/1000']) files.add(path);
  files.delete('/slices/5');
  for (const path of ['/slices/0', '/slices/5', '/slices/1000', '/slices/sound']) expect(files.has(path)).toBe(true);
});
