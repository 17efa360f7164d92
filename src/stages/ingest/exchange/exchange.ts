import type { IncomingMessage, ServerResponse } from 'node:http';
import { senderAddress } from '../../../core/sender-address.ts';
import type { ContentCoding } from '../../../events/encoding/content-codings.ts';
import { decodedHeaders } from '../../../events/encoding/decoded-headers.ts';
import type { ExchangeMemory } from '../../../events/memory.ts';
import { Intake } from '../accept/intake.ts';
import { errorName, refusals, type Refusal } from '../../../events/refusal.ts';
import type { ReceivedRequest } from '../../../events/read-request.ts';
import { bodyTooLarge } from '../../../events/request-limits.ts';
import type { WriteResult } from '../accept/write.ts';
import { answerContent, answerOk, answerProblem } from './answers.ts';
import { BodyBuffer } from './body-buffer.ts';
import type { ExchangeContext, OpenExchange } from './exchange-context.ts';
import type { Content, Decoded, Reading } from './face.ts';
import { discardLimit } from './http-config.ts';
import { problemOf, type Problem } from './problem.ts';

/** What the headers of a request have told. */
export interface Announced {
  readonly reading: Reading;
  /** Of its body, in the order in which they were applied. */
  readonly codings: readonly ContentCoding[];
}

/**
 * The life of one request that carries events, from its headers to its answer: receives the body within the limits, decodes it, has its
 * face read it, and the core store it.
 */
export class Exchange implements OpenExchange, ExchangeMemory {
  readonly response: ServerResponse;
  readonly #context: ExchangeContext;
  readonly #request: IncomingMessage;
  readonly #reading: Reading;
  readonly #codings: readonly ContentCoding[];
  readonly #intake: Intake<OpenExchange>;
  readonly #body: BodyBuffer;
  #state: 'receiving' | 'storing' | 'answered' = 'receiving';
  #discardedBytes = 0;
  #close = false;
  /** Aborted with its answer: there while its body is decoded. */
  #decoding: AbortController | undefined;

  constructor(
    context: ExchangeContext,
    http: { readonly request: IncomingMessage; readonly response: ServerResponse },
    { reading, codings }: Announced,
  ) {
    this.response = http.response;
    this.#context = context;
    this.#request = http.request;
    this.#reading = reading;
    this.#codings = codings;
    this.#intake = new Intake<OpenExchange>(context.intakes, this);
    this.#body = new BodyBuffer(Number(http.request.headers['content-length'] ?? 0));
  }

  get isReceiving(): boolean {
    // The last byte may be there a turn before the stream says so.
    return this.#state === 'receiving' && !this.#request.complete;
  }

  /** Begins to receive. `headBytes` is what the request takes without its body; the caller has found that it fits. */
  receive(headBytes: number): void {
    const { spans } = this.#context.acceptor;
    if (spans !== undefined) this.#intake.span = this.#begin(spans);
    if (!this.#intake.begin(headBytes)) {
      this.refuse(refusals.tooManyRequests);
      return;
    }
    this.#request.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#request.on('end', () => this.#complete());
    this.#request.on('close', () => this.#gone());
  }

  #begin(spans: NonNullable<ExchangeContext['acceptor']['spans']>): Intake<OpenExchange>['span'] {
    const { traceparent, tracestate } = this.#request.headers;
    const { sources } = this.#reading;
    return spans.begin({
      traceparent: traceparent?.toString(),
      tracestate: tracestate?.toString(),
      sources,
      over: 'http',
    });
  }

  hold(bytes: number): boolean {
    return this.#intake.hold(bytes);
  }

  release(bytes: number): void {
    this.#intake.release(bytes);
  }

  whyNot(bytes: number): Refusal {
    return this.#intake.whyNot(bytes);
  }

  holdAnswer(bytes: number): boolean {
    return this.#context.unsent.hold(this.response, bytes);
  }

  answer(results: readonly WriteResult[]): void {
    if (this.#state === 'answered') return;
    const answer = this.#reading.answer(results);
    switch (answer.kind) {
      case 'ok':
        this.#told(answer.status, undefined, results);
        if (this.#mayAnswer()) answerOk(this.response, answer.status, this.#options());
        break;
      case 'refusal':
        this.refuse(answer);
        break;
      case 'content':
        this.#answerWith(answer, results);
        break;
      default:
        answer satisfies never;
    }
  }

  refuse(refusal: Refusal): void {
    const content = this.#reading.refusal?.(refusal);
    if (content === undefined) {
      this.#refuseWith(problemOf(refusal));
    } else if (this.#state !== 'answered') {
      this.#answerWith(content);
      this.#intake.end();
    }
  }

  cut(refusal: Refusal): void {
    this.cutWith(problemOf(refusal));
  }

  cutWith(problem: Problem): void {
    this.#close = true;
    if (this.isReceiving) this.#refuseWith(problem);
  }

  get #maxBodyBytes(): number {
    return this.#reading.maxBodyBytes ?? this.#context.config.maxBodyBytes;
  }

  #take(chunk: Buffer): void {
    if (this.#state !== 'receiving') {
      this.#discard(chunk.length);
      return;
    }
    const maxBodyBytes = this.#maxBodyBytes;
    if (this.#body.length + chunk.length > maxBodyBytes) {
      this.refuse(bodyTooLarge(maxBodyBytes));
    } else if (this.#intake.hold(chunk.length)) {
      this.#body.add(chunk);
    } else {
      this.refuse(this.whyNot(chunk.length));
    }
  }

  /** The rest of a refused body is read, so that the sender sees the answer, but not without end. */
  #discard(bytes: number): void {
    this.#discardedBytes += bytes;
    if (this.#discardedBytes > discardLimit(this.#context.config)) this.#request.socket.destroy();
  }

  #gone(): void {
    if (this.#state !== 'receiving') return;
    this.#state = 'answered';
    this.#context.acceptor.telemetry.cut('clientClosed');
    this.#told(undefined, 'the sender left before its answer');
    this.#intake.end();
  }

  #complete(): void {
    if (this.#state !== 'receiving') return;
    this.#state = 'storing';
    this.#intake.complete();
    try {
      const received = this.#received();
      const decoded = this.#codings.length === 0 ? this.#reading.decode(received) : this.#decode(received);
      if (decoded instanceof Promise) void this.#storeLater(decoded);
      else this.#store(decoded);
    } catch (error) {
      this.#intake.fail(error);
    }
  }

  /** The body may be large when it is decoded: it is bounded again, and the headers say what it is then (A45). */
  async #decode(received: ReceivedRequest): Promise<Decoded> {
    const { acceptor } = this.#context;
    this.#decoding = new AbortController();
    const encoded = { body: received.body, codings: this.#codings, maxBytes: this.#maxBodyBytes, memory: this };
    const body = await acceptor.decoders.decode(encoded, this.#decoding);
    if ('kind' in body) return body;
    return this.#reading.decode({ ...received, body, rawHeaders: decodedHeaders(received.rawHeaders, body.length) });
  }

  /** Never rejects. */
  async #storeLater(decoded: Promise<Decoded>): Promise<void> {
    try {
      this.#store(await decoded);
    } catch (error) {
      this.#intake.fail(error);
    }
  }

  #store(decoded: Decoded): void {
    // It may have had its deadline meanwhile.
    if (this.#state === 'answered') return;
    if ('kind' in decoded) this.refuse(decoded);
    else this.#intake.store(decoded);
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
      remoteAddress: senderAddress(origin, this.#context.proxies),
      arrivedAt: this.#context.acceptor.clock.now(),
      memory: this,
      marks: this.#intake.span?.marks,
    };
  }

  #answerWith(content: Content, results: readonly WriteResult[] = []): void {
    const { status, failure } = content;
    this.#told(status, failure, results);
    if (failure !== undefined) this.#context.acceptor.telemetry.refused(status, errorName(failure));
    if (this.#mayAnswer()) answerContent(this.response, content, this.#options());
  }

  #refuseWith(problem: Problem): void {
    if (this.#state === 'answered') return;
    this.#context.acceptor.telemetry.refused(problem.status, problem.error);
    this.#told(problem.status, problem.error);
    if (this.#mayAnswer()) answerProblem(this.response, problem, this.#options());
    this.#intake.end();
  }

  #told(status: number | undefined, failure: string | undefined, results: readonly WriteResult[] = []): void {
    this.#intake.span?.end({ status, failure, events: eventsOf(results) });
  }

  /** It is answered from here on; false when nobody is there any more to hear it. */
  #mayAnswer(): boolean {
    this.#state = 'answered';
    this.#decoding?.abort();
    return !this.response.destroyed;
  }

  #options(): { readonly extra: readonly string[]; readonly close: boolean } {
    const { cors, intakes } = this.#context;
    const allowed = cors.answerHeaders(this.#request.headers.origin);
    return {
      extra: allowed,
      close: this.#close || intakes.isClosing || this.#isRenewed,
    };
  }

  /** Its connection ends, so that its sender makes a new one; not before the end of a body, whose sender would not see the answer. */
  get #isRenewed(): boolean {
    return this.#request.complete && this.#context.renewals.isDue(this.#request.socket);
  }
}

/** Each source gets the same events, or some of them split otherwise. */
function eventsOf(results: readonly WriteResult[]): number {
  return results.reduce((most, { write }) => Math.max(most, write.ids.length), 0);
}
