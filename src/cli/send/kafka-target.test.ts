import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppendLog } from '../../../test/support/memory-event-log.ts';
import { parseConfig } from '../../config/config.ts';
import type { ErrorCode } from '../../core/error-catalogue.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { WritableTopic } from '../../runtime/produce/writable-topic.ts';
import type { Product } from '../../runtime/product.ts';
import { createProgram } from '../program.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-send-'));
  const url = { file: join(folder, 'url') };
  await writeFile(url.file, 'postgres://user:password@127.0.0.1:1/db');
  const topology = {
    kind: 'cluster',
    log: { kind: 'kafka', brokers: ['127.0.0.1:1'] },
    staging: { kind: 's3', bucket: 'b', region: 'r' },
    catalog: { kind: 'postgres', url },
    tables: { kind: 'postgres', url },
  };
  await writeFile(join(folder, 'topology.json'), JSON.stringify(topology));
});
afterAll(() => rm(folder, { recursive: true }));

const at = { topic: 'source.1.shop', partition: 0 };

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  /** Of the failure. */
  readonly code: string;
  /** What the log has in the end. */
  readonly stored: readonly string[];
  readonly appends: number;
}

/** What comes of three lines when the log fails in one way for the first appends. */
async function sendThree(
  args: readonly string[],
  failing: { readonly code: ErrorCode; readonly times: number },
): Promise<Outcome> {
  const kept = createAppendLog({ keep: true });
  let appends = 0;
  const topic = new WritableTopic({
    log: {
      condition: kept.log.condition,
      append: (...given) => {
        appends += 1;
        kept.refuseWith(appends > failing.times ? undefined : new MillraceError(failing.code, 'as the log says'));
        return kept.log.append(...given);
      },
    },
    topic: { name: at.topic, partitions: 1, identity: 'one' },
    encoder: undefined,
    close: { [Symbol.asyncDispose]: () => Promise.resolve() },
  });
  const product: Product = {
    version: '1.2.3',
    start: () => Promise.reject(new Error('not asked')),
    claimStores: async () => [],
    restore: async () => ({ at: '', version: '' }),
    migrate: () => Promise.reject(new Error('not asked for')),
    examineCluster: async () => [],
    openSourceTopic: async () => topic,
    extract: () => Promise.reject(new Error('not asked')),
    tryExtraction: () => Promise.reject(new Error('not asked')),
  };
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = { stdin, stdout, stderr, human: false, interactive: false, columns: 80 };
  const { signal } = new AbortController();
  const config = (overrides = {}): ReturnType<typeof parseConfig> => parseConfig(overrides, folder);
  const program = createProgram({ terminal, product, program: 'millrace', signal, config });
  stdin.end('{"n":1}\n{"n":2}\n{"n":3}\n');
  const line = ['send', '--kafka', 'shop', '--topology', join(folder, 'topology.json'), ...args, '-'];
  const code = await program.parseAsync(line, { from: 'user' }).then(
    () => 'none',
    (thrown: unknown) => MillraceError.fromUnknown(thrown).code,
  );
  const stored = kept.records(at).map(({ value }) => Buffer.from(value ?? '').toString());
  return { stdout: String(stdout.read()), stderr: String(stderr.read() ?? ''), code, stored, appends };
}
const all = ['{"n":1}', '{"n":2}', '{"n":3}'];

it('D1: sends again what was certainly not stored; what may have been only with --retry', async () => {
  const sure = await sendThree([], { code: 'log.refused', times: 1 });
  expect(sure).toMatchObject({ code: 'none', appends: 2, stored: all });
  const unsure = await sendThree([], { code: 'log.unavailable', times: 1 });
  expect(unsure).toMatchObject({ code: 'client.incomplete', appends: 1, stored: [] });
  expect(unsure.stdout).toBe('0 accepted, 0 refused, 3 without an answer\n');
  const again = await sendThree(['--retry'], { code: 'log.unavailable', times: 1 });
  expect(again).toMatchObject({ code: 'none', appends: 2, stored: all });
});

it('D1: what is refused for good is not sent again', async () => {
  const gone = await sendThree(['--retry'], { code: 'log.topicNotFound', times: 1 });
  expect(gone).toMatchObject({ code: 'client.incomplete', appends: 1, stored: [] });
  expect(gone.stdout).toBe('0 accepted, 3 refused, 0 without an answer\n');
});

it('D1: what is too large goes in halves, down to the one line that is itself too large', async () => {
  const halves = await sendThree([], { code: 'log.recordTooLarge', times: 3 });
  expect(halves).toMatchObject({ code: 'client.incomplete', appends: 5, stored: all.slice(1) });
  expect(halves.stdout).toBe('2 accepted, 1 refused, 0 without an answer\n');
  expect(halves.stderr).toMatch(/^stdin:1: refused: as the log says$/m);
});
