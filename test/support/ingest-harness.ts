import type { Clock } from '../../src/core/clock.ts';
import type { BranchId, SourceId } from '../../src/core/ids.ts';
import type { MillraceError } from '../../src/core/millrace-error.ts';
import type { NewRecord } from '../../src/ports/event-log.ts';
import type { IngestObserver } from '../../src/telemetry/observe-ingest.ts';
import { createIngest, type Ingest, type IngestLimits } from './create-ingest.ts';
import type { DirectorySource } from '../../src/stages/ingest/accept/source-directory.ts';
import { createAppendLog, type AppendLog } from './memory-event-log.ts';
import { RawClient } from './raw-client.ts';

export const testSecret = 's3cr3t-0123456789-abcdefghijklmnopqrstuvwxyz-0123';

/** A source `orders` of branch 1 with the secret `testSecret`. */
export function testSource(changes: Partial<DirectorySource> = {}): DirectorySource {
  return {
    key: { branchId: 1 as BranchId, sourceId: 'orders' as SourceId },
    type: 'http',
    secrets: [{ text: testSecret }],
    disabled: false,
    topic: 'source.1.orders',
    partitions: 1,
    syncWait: true,
    batch: 'off',
    contentType: 'auto',
    defaultContentType: '',
    enabledSinks: 1,
    refusal: undefined,
    ...changes,
  };
}

/** Wall time stands still; a sleeper wakes when the test says so. */
export class StillClock implements Clock {
  time = Date.UTC(2024, 0, 2, 3, 4, 5, 6);
  readonly #sleepers = new Set<() => void>();

  now(): number {
    return this.time;
  }

  monotonic(): number {
    return this.time;
  }

  wakeAll(): void {
    for (const wake of this.#sleepers) wake();
  }

  sleep(_ms: number, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal.reason as Error);
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort);
      this.#sleepers.add(resolve);
    });
  }
}

/** A running ingest on a free port, and what a test wants to know of it. */
export interface IngestHarness extends AsyncDisposable {
  readonly service: Ingest;
  readonly running: Promise<void>;
  readonly log: AppendLog;
  readonly clock: StillClock;
  readonly port: number;
  readonly url: string;
  /** Path of the source `orders` with its secret. */
  readonly path: string;
  /** Everything that was told to the metrics, as text. */
  readonly told: readonly string[];
  setSources(sources: readonly DirectorySource[]): void;
  records(topic?: string, partition?: number): readonly NewRecord[];
  connect(): Promise<RawClient>;
}

export async function startIngest(
  sources: readonly DirectorySource[] = [testSource()],
  config: Partial<IngestLimits> = {},
): Promise<IngestHarness> {
  const log = createAppendLog({ keep: true });
  const clock = new StillClock();
  const directory = {
    version: 1,
    sources,
    find: (projectId: number, sourceId: string): readonly DirectorySource[] =>
      projectId === 1 ? directory.sources.filter(({ key }) => key.sourceId === sourceId) : [],
    all: (): readonly DirectorySource[] => directory.sources,
  };
  const told: string[] = [];
  const service = createIngest({
    log: log.log,
    sources: directory,
    clock,
    telemetry: tellingObserver(told),
    config,
  });
  await service.start();
  const running = service.run(new AbortController().signal);
  const port = service.address()?.port ?? 0;
  return {
    service,
    running,
    log,
    clock,
    port,
    url: `http://127.0.0.1:${port}`,
    path: `/stream/1/orders/${testSecret}`,
    told,
    setSources: (changed) => {
      directory.sources = changed;
      directory.version += 1;
    },
    records: (topic = 'source.1.orders', partition = 0) => log.records({ topic, partition }),
    connect: () => RawClient.connect(port),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await running;
    },
  };
}

/** Keeps everything that is told, as text. */
export function tellingObserver(told: string[]): IngestObserver {
  const tell = (...words: readonly (string | number)[]): void => {
    told.push(words.join(' '));
  };
  return {
    stored: (source, { events, bytes }) => tell('stored', source.sourceId, events, bytes),
    accepted: (source, events) => tell('accepted', source.sourceId, events),
    appendFailed: (source, error, lost) => tell('appendFailed', source.sourceId, error.code, lost),
    refused: (status, error) => tell('refused', status, error),
    cut: (reason) => tell('cut', reason),
    crowded: (reason, most) => tell('crowded', reason, most),
    failed: (error: MillraceError) => tell('failed', error.message),
  };
}

/** The value of a header of a record, undefined when it has none. */
export function headerOf({ headers }: NewRecord, name: string): string | undefined {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
  return at < 0 ? undefined : headers[at + 1];
}

/** Resolves when the condition holds; a test that waits in vain ends by its own time limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
