import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Listeners } from '../../runtime/product.ts';
import { printReady } from './ready.ts';

function page(human: boolean, quick: boolean, more: Partial<Listeners> = {}): string {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = { stdin, stdout, stderr, human, interactive: false, columns: 80 };
  const stop = async (): Promise<void> => undefined;
  const failed = new Promise<never>(() => undefined);
  const listeners = { admin: 'http://127.0.0.1:1', ingest: 'http://127.0.0.1:2', ...more };
  const running = { listeners, failed, stop };
  printReady(terminal, { version: '1.2.3', dataDir: '/d', running, quick });
  return String(stdout.read());
}

it('a start with --quick says what that means, to a person and to a program', () => {
  expect(page(true, true)).toMatch(/\n {2}\S*quick\S* *\S*rows are in their tables within a second, but for sources/);
  expect(page(true, false)).not.toContain('quick');
  expect(JSON.parse(page(false, true))).toMatchObject({ event: 'ready', quick: true });
  expect(JSON.parse(page(false, false))).not.toHaveProperty('quick');
});

it('names where OTLP over gRPC is taken, and says where it is not', () => {
  const otlpGrpc = 'http://127.0.0.1:4317';
  expect(page(true, false, { otlpGrpc })).toMatch(/\n {2}\S*OTLP\/gRPC\S* *\S*http:\/\/127\.0\.0\.1:4317\n/);
  expect(page(true, false)).toMatch(/OTLP\/gRPC\S* *\S*not served: port 4317 is taken; MILLRACE_OTLP_GRPC_PORT sets/);
  expect(JSON.parse(page(false, false, { otlpGrpc }))).toMatchObject({ event: 'ready', otlpGrpc });
});
