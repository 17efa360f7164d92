import type { IncomingMessage, ServerResponse } from 'node:http';
import { MillraceError, isCancellation } from '../../../core/millrace-error.ts';
import { senderAddress } from '../../../core/sender-address.ts';
import { answerJson, answerOk, answerProblem } from './answers.ts';
import { BodyBuffer } from './body-buffer.ts';
import { appendGraceMs, discardLimit } from './ingest-config.ts';
import type { IngestContext, OpenExchange } from './ingest-context.ts';
import { appendProblem, bodyTooLarge, problems, type Problem } from './problem.ts';
import type { Query } from '../http/query.ts';
import type { DirectorySource } from '../accept/source-directory.ts';
import type { Target } from '../accept/targets.ts';
import { longAnswer, summarize, type WriteResult } from '../http/write-result.ts';
import { batchModeFor, prepareWrites, singleRecord, type ReceivedRequest, type Write } from '../http/writes.ts';

/** What an event of a split body takes besides its bytes, about. */
const eventBytes = 512;

/**
 * One request to a source, from its headers to its answer: receives the body within the limits, stores it, and answers
 * as D1 says. Bytes that it holds are counted in `inFlight` until the log has them.
 */
export class Exchange implements OpenExchange {
  readonly #context: IngestContext;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #target: Target;
  readonly #query: Query;
  readonly #body: BodyBuffer;
  #state: 'reading' | 'storing' | 'answered' = 'reading';
  #startedAt = 0;
  /** When the last byte had arrived. */
  #completedAt = 0;
  #heldBytes = 0;
  /** Appends that the log has not answered. */
  #appends = 0;
  /** Events of the request were handed to the log. */
  #isHanded = false;
  /** What the sources of the request have said so far; empty when it is one event for one source. */
  #results: WriteResult[] = [];
  #discardedBytes = 0;
  #close = false;

  constructor(
    context: IngestContext,
    http: { readonly request: IncomingMessage; readonly response: ServerResponse },
    to: { readonly target: Target; readonly query: Query },
  ) {
    this.#context = context;
    this.#request = http.request;
    this.#response = http.response;
    this.#target = to.target;
    this.#query = to.query;
    this.#body = new BodyBuffer(Number(http.request.headers['content-length'] ?? 0));
  }

  get response(): ServerResponse {
    return this.#response;
  }

  get isReading(): boolean {
    // The last byte may be there a turn before the stream says so.
    return this.#state === 'reading' && !this.#request.complete;
  }

  /** Begins to receive. `headBytes` is what the request takes without its body; the caller has found that it fits. */
  receive(headBytes: number): void {
    if (!this.#hold(headBytes)) {
      this.#refuse(problems.tooManyRequests);
      return;
    }
    this.#startedAt = this.#context.clock.monotonic();
    this.#context.exchanges.open.add(this);
    this.#request.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#request.on('end', () => this.#complete());
    this.#request.on('close', () => this.#gone());
  }

  cut(problem: Problem): void {
    this.#close = true;
    if (this.isReading) this.#refuse(problem);
  }

  expire(now: number): void {
    const { appendTimeoutMs } = this.#context.config;
    if (this.#state !== 'storing' || now < this.#completedAt + appendTimeoutMs + appendGraceMs) return;
    if (this.#results.length === 0) this.#refuse(problems.unclear);
    else this.#answerAll();
  }

  #take(chunk: Buffer): void {
    if (this.#state !== 'reading') {
      this.#discard(chunk.length);
      return;
    }
    const { config } = this.#context;
    if (this.#body.length + chunk.length > config.maxBodyBytes) {
      this.#refuse(bodyTooLarge(config.maxBodyBytes));
    } else if (this.#hold(chunk.length)) {
      this.#body.add(chunk);
    } else {
      this.#refuse(problems.tooManyRequests);
    }
  }

  #hold(bytes: number): boolean {
    if (!this.#context.inFlight.add(bytes)) return false;
    this.#heldBytes += bytes;
    return true;
  }

  /** The rest of a refused body is read, so that the sender sees the answer, but not without end. */
  #discard(bytes: number): void {
    this.#discardedBytes += bytes;
    if (this.#discardedBytes > discardLimit(this.#context.config)) this.#request.socket.destroy();
  }

  #gone(): void {
    if (this.#state !== 'reading') return;
    this.#state = 'answered';
    this.#context.telemetry.cut('clientClosed');
    this.#release();
  }

  #complete(): void {
    if (this.#state !== 'reading') return;
    this.#state = 'storing';
    this.#completedAt = this.#context.clock.monotonic();
    try {
      this.#store();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#context.telemetry.failed(MillraceError.fromUnknown(error));
    this.#refuse(this.#isHanded ? problems.cutByDefect : problems.internalError);
  }

  #store(): void {
    const { sources } = this.#target;
    const [source] = sources;
    const received = this.#received();
    const isPlain = sources.length === 1 && source !== undefined && !this.#query.verbose;
    if (isPlain && source.refusal === undefined && batchModeFor(source, received) === 'off') {
      this.#storeOne(source, received);
      return;
    }
    const writes = prepareWrites(sources, received, this.#context.ids);
    if (!('length' in writes)) {
      this.#refuse(writes);
      return;
    }
    const events = writes.reduce((sum, { records }) => sum + records.length, 0);
    if (this.#hold(events * eventBytes)) this.#storeAll(writes).catch((error: unknown) => this.#fail(error));
    else this.#refuse(problems.tooManyRequests);
  }

  #received(): ReceivedRequest {
    const { headers, rawHeaders, socket } = this.#request;
    const origin = {
      peer: socket.remoteAddress ?? '',
      xForwardedFor: headers['x-forwarded-for']?.toString(),
      forwarded: headers.forwarded,
    };
    return {
      body: this.#body.take(),
      rawHeaders,
      contentType: headers['content-type'],
      secrets: this.#target.secrets,
      remoteAddress: senderAddress(origin, this.#context.proxies),
      batch: this.#query.batch,
      arrivedAt: this.#context.clock.now(),
    };
  }

  /** One event for one source: the common case, without a promise more than the log's. */
  #storeOne(source: DirectorySource, received: ReceivedRequest): void {
    const { appends, ids, telemetry } = this.#context;
    const records = [singleRecord(source, received, ids(received.arrivedAt))];
    this.#isHanded = true;
    const appended = appends.append(source, records);
    if (appended === undefined) {
      this.#refuse(problems.logRefused);
      return;
    }
    this.#appends = 1;
    if (!source.syncWait) {
      telemetry.accepted(source.key, 1);
      this.#answerOk(202);
    }
    appended.then(
      () => this.#oneStored(source, received.body.length),
      (error: unknown) => void this.#oneElsewhere({ source, records, ids: [] }, error),
    );
  }

  /** Never rejects. */
  async #oneElsewhere({ source, records }: Write, refusal: unknown): Promise<void> {
    let error = refusal;
    for (;;) {
      const again = this.#context.appends.elsewhere(source, records, { error, since: this.#completedAt });
      if (again === undefined) break;
      try {
        await again;
        this.#oneStored(source, records[0]?.value.length ?? 0);
        return;
      } catch (thrown) {
        error = thrown;
      }
    }
    this.#oneFailed(source, error);
  }

  #oneStored(source: DirectorySource, bytes: number): void {
    this.#stored(source, 1, bytes);
    if (source.syncWait) this.#answerOk(200);
    this.#appended();
  }

  #stored({ key }: DirectorySource, events: number, bytes: number): void {
    const { telemetry, clock } = this.#context;
    telemetry.stored(key, { events, bytes, ms: clock.monotonic() - this.#startedAt });
  }

  #oneFailed(source: DirectorySource, error: unknown): void {
    const problem = this.#appendFailed(source, error, 1);
    if (source.syncWait) this.#refuse(problem);
    this.#appended();
  }

  async #storeAll(writes: readonly Write[]): Promise<void> {
    this.#appends = writes.length;
    this.#results = writes.map((write) => ({ write, outcome: problems.unclear }));
    await Promise.all(
      writes.map(async (write, index) => {
        this.#results[index] = await this.#write(write);
      }),
    );
    this.#answerAll();
  }

  /** What every source has said, or that it has said nothing yet. */
  #answerAll(): void {
    if (this.#state === 'answered') return;
    const results = this.#results;
    const { status, failed, retryAfterSeconds } = summarize(results);
    if (failed) this.#context.telemetry.refused(status, 'stream.in.writeFailed');
    if (!failed && !this.#query.verbose) {
      this.#answerOk(status);
      return;
    }
    const body = longAnswer(this.#target.projectId, results);
    const retry = retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)];
    this.#answered(() => answerJson(this.#response, { status, body }, this.#options(retry)));
  }

  /** What the answer says of one source; it waits for the log where the source does (A31). Never rejects. */
  async #write(write: Write): Promise<WriteResult> {
    const { source, records } = write;
    if (source.refusal !== undefined) {
      this.#appended();
      const { error, message, retryAfterSeconds } = source.refusal;
      const problem: Problem = {
        kind: 'problem',
        status: 503,
        error: `stream.in.${error}`,
        message,
        retryAfterSeconds,
        stored: 'no',
      };
      return { write, outcome: problem };
    }
    this.#isHanded = true;
    const appended = records.length === 0 ? Promise.resolve(0) : this.#context.appends.append(source, records);
    if (appended === undefined) {
      this.#appended();
      return { write, outcome: problems.logRefused };
    }
    const stored = this.#settle(write, appended);
    if (source.syncWait) return { write, outcome: (await stored) ?? 'stored' };
    this.#context.telemetry.accepted(source.key, records.length);
    return { write, outcome: 'accepted' };
  }

  /** Never rejects. */
  async #settle({ source, records }: Write, appended: Promise<unknown>): Promise<Problem | undefined> {
    let failure: unknown;
    for (let tried: Promise<unknown> | undefined = appended; tried !== undefined;) {
      try {
        await tried;
        const bytes = records.reduce((sum, { value }) => sum + value.length, 0);
        if (records.length > 0) this.#stored(source, records.length, bytes);
        this.#appended();
        return undefined;
      } catch (error) {
        failure = error;
        tried = this.#context.appends.elsewhere(source, records, { error, since: this.#completedAt });
      }
    }
    const problem = this.#appendFailed(source, failure, records.length);
    this.#appended();
    return problem;
  }

  #appendFailed(source: DirectorySource, thrown: unknown, events: number): Problem {
    if (isCancellation(thrown)) return problems.cutAppend;
    const error = MillraceError.fromUnknown(thrown);
    this.#context.telemetry.appendFailed(source.key, error, source.syncWait ? 0 : events);
    return appendProblem(error);
  }

  /** One append has ended, well or not. */
  #appended(): void {
    this.#appends -= 1;
    if (this.#appends === 0) this.#release();
  }

  #release(): void {
    const { inFlight, exchanges } = this.#context;
    inFlight.remove(this.#heldBytes);
    this.#heldBytes = 0;
    if (exchanges.open.delete(this) && exchanges.open.size === 0) exchanges.onEmpty();
  }

  #refuse(problem: Problem): void {
    if (this.#state === 'answered') return;
    this.#context.telemetry.refused(problem.status, problem.error);
    this.#answered(() => answerProblem(this.#response, problem, this.#options([])));
    if (this.#appends === 0) this.#release();
  }

  #answerOk(status: number): void {
    this.#answered(() => answerOk(this.#response, status, this.#options([])));
  }

  #answered(answer: () => void): void {
    if (this.#state === 'answered') return;
    this.#state = 'answered';
    if (!this.#response.destroyed) answer();
  }

  #options(headers: readonly string[]): { readonly extra: readonly string[]; readonly close: boolean } {
    const { cors, exchanges } = this.#context;
    const allowed = cors.answerHeaders(this.#request.headers.origin);
    return {
      extra: headers.length === 0 ? allowed : [...allowed, ...headers],
      close: this.#close || exchanges.closing,
    };
  }
}
