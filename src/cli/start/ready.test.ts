import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { printReady } from './ready.ts';

function page(human: boolean, quick: boolean): string {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = { stdin, stdout, stderr, human, interactive: false, columns: 80 };
  const stop = async (): Promise<void> => undefined;
  const failed = new Promise<never>(() => undefined);
  const running = { listeners: { admin: 'http://127.0.0.1:1', ingest: 'http://127.0.0.1:2' }, failed, stop };
  printReady(terminal, { version: '1.2.3', dataDir: '/d', running, quick });
  return String(stdout.read());
}

it('a start with --quick says what that means, to a person and to a program', () => {
  expect(page(true, true)).toMatch(/\n {2}\S*quick\S* *\S*rows are in their tables within a second, but for sources/);
  expect(page(true, false)).not.toContain('quick');
  expect(JSON.parse(page(false, true))).toMatchObject({ event: 'ready', quick: true });
  expect(JSON.parse(page(false, false))).not.toHaveProperty('quick');
});
