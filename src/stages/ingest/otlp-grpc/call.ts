import type { sendUnaryData } from '@grpc/grpc-js';
import { senderAddress, type TrustedProxies } from '../../../core/sender-address.ts';
import type { ExchangeMemory } from '../../../events/memory.ts';
import { rejectedMessage, type OtlpRecords } from '../../../events/read-otlp.ts';
import { errorName, refusal, refusals, type Refusal } from '../../../events/refusal.ts';
import { bodyTooLarge } from '../../../events/request-limits.ts';
import { responseBytes } from '../../../otlp/answers.ts';
import type { Acceptor } from '../accept/acceptor.ts';
import { Intake } from '../accept/intake.ts';
import type { Intakes } from '../accept/intakes.ts';
import type { Sender } from '../accept/sender.ts';
import type { DirectorySource } from '../accept/source-directory.ts';
import type { WriteResult } from '../accept/write.ts';
import { worstOf } from '../otlp/worst-of.ts';
import { refusedCall, type RefusedCall } from './answer.ts';
import type { ArrivingCalls } from './arriving-calls.ts';
import type { BareCall, BytesCall } from './bare-call.ts';
import { codingOf, decode, type Addressed } from './decode.ts';
import { textOf } from './metadata.ts';
import { UnreadAnswer } from './unread-answer.ts';

/** What the calls of one listener share. */
export interface CallContext {
  readonly acceptor: Acceptor;
  readonly intakes: Intakes<Call>;
  readonly arriving: ArrivingCalls;
  readonly proxies: TrustedProxies;
  /** As a message comes, and as it is decompressed. */
  readonly maxBodyBytes: number;
  readonly requestTimeoutMs: number;
}

/** A call whose metadata were right. */
export interface AdmittedCall {
  readonly call: BytesCall;
  readonly bare: BareCall;
  readonly answer: sendUnaryData<Buffer>;
  readonly headers: readonly string[];
  readonly addressed: Addressed;
}

/** Before each message: whether it is compressed, and its length. */
const prefixBytes = 5;
/** About what a piece takes in the heap of Node beside its bytes. */
const pieceBytes = 256;
/** About what the objects around a call take, and each of its headers with its two strings. */
const objectBytes = 8192;
const headerBytes = 64;

/** The life of one call, from its metadata to its status: its message is received within the limits, decoded, and stored by the core. */
export class Call implements Sender, ExchangeMemory {
  readonly #context: CallContext;
  readonly #admitted: AdmittedCall;
  readonly #intake: Intake<Call>;
  readonly #sender: string;
  #state: 'receiving' | 'storing' | 'answered' = 'receiving';
  #message: Buffer | undefined;
  #messages = 0;
  #receivedBytes = 0;
  /** Counted among the calls that arrive. */
  #arrivingBytes = 0;
  #isCompressed = false;
  #rejected = 0;
  /** Aborted with its answer: there while its message is decompressed. */
  #decoding: AbortController | undefined;

  constructor(context: CallContext, admitted: AdmittedCall) {
    this.#context = context;
    this.#admitted = admitted;
    this.#intake = new Intake<Call>(context.intakes, this);
    this.#sender = senderOf(admitted.call, context.proxies);
  }

  get isReceiving(): boolean {
    return this.#state === 'receiving';
  }

  receive(): void {
    const { call, bare, headers, addressed } = this.#admitted;
    const { spans } = this.#context.acceptor;
    if (spans !== undefined)
      this.#intake.span = spans.begin({ ...contextOf(call), sources: addressed.target.sources, over: 'grpc' });
    const bytes = headBytesOf(headers);
    if (!this.#context.arriving.add(this.#sender, bytes)) {
      this.refuse(refusals.tooManyCalls);
      return;
    }
    this.#arrivingBytes = bytes;
    if (!this.#intake.begin(bytes, this.#context.requestTimeoutMs)) {
      this.refuse(refusals.tooManyRequests);
      return;
    }
    bare.onBytes((bytes) => this.#take(bytes));
    call.on('data', (message: Buffer) => this.#takeMessage(message));
    call.on('end', () => (bare.isCutOff() ? this.#gone() : this.#complete()));
    call.on('cancelled', () => this.#gone());
    call.on('error', () => this.#gone());
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

  /** An answer is some bytes, whatever the request was. */
  holdAnswer(bytes: number): boolean {
    return this.hold(bytes);
  }

  answer(results: readonly WriteResult[]): void {
    const worst = worstOf(results.map(({ outcome }) => outcome));
    if (worst === undefined) this.#succeed(results[0]?.write.ids.length ?? 0);
    else this.refuse(worst);
  }

  refuse(refused: Refusal): void {
    this.#refuseWith(refusedCall(refused));
  }

  cut(refused: Refusal): void {
    if (this.isReceiving) this.refuse(refused);
  }

  /** The library keeps the pieces beside the message that it makes of them: each byte counts twice. */
  #take(bytes: Buffer): void {
    if (this.#state !== 'receiving') return;
    if (this.#receivedBytes === 0) this.#isCompressed = bytes[0] === 1;
    this.#receivedBytes += bytes.length;
    const { maxBodyBytes } = this.#context;
    const taken = 2 * bytes.length + pieceBytes;
    if (this.#receivedBytes > maxBodyBytes + prefixBytes) this.refuse(bodyTooLarge(maxBodyBytes));
    else if (!this.hold(taken)) this.refuse(this.whyNot(taken));
  }

  #takeMessage(message: Buffer): void {
    this.#messages += 1;
    this.#message = message;
  }

  #leaveArriving(): void {
    this.#context.arriving.remove(this.#sender, this.#arrivingBytes);
    this.#arrivingBytes = 0;
  }

  /** Its sender has cancelled it, its deadline has passed, or its connection is gone. What the log has goes on without it. */
  #gone(): void {
    if (this.#state === 'answered') return;
    const wasReceiving = this.#state === 'receiving';
    this.#state = 'answered';
    this.#decoding?.abort();
    this.#leaveArriving();
    this.#intake.span?.end({ status: undefined, failure: 'the sender left before its answer', events: 0 });
    if (!wasReceiving) return;
    this.#context.acceptor.telemetry.cut('clientClosed');
    this.#intake.end();
  }

  #complete(): void {
    if (this.#state !== 'receiving') return;
    this.#state = 'storing';
    this.#leaveArriving();
    this.#intake.complete();
    const message = this.#message;
    this.#message = undefined;
    if (message === undefined || this.#messages > 1) this.refuse(notOneMessage(this.#messages));
    else void this.#store(message);
  }

  /** Never rejects. */
  async #store(message: Buffer): Promise<void> {
    try {
      const body = this.#isCompressed ? await this.#decompressed(message) : message;
      if (body === undefined) return;
      const decoded = await this.#context.acceptor.turns.run(this.#decode(body));
      // It may have had its deadline meanwhile.
      if (this.#hasEnded()) return;
      if (decoded.kind === 'refusal') {
        this.refuse(decoded);
        return;
      }
      this.#rejected = decoded.rejected;
      this.#intake.store(decoded.writes);
    } catch (error) {
      this.#intake.fail(error);
    }
  }

  /** Undefined when the call has been answered. */
  async #decompressed(message: Buffer): Promise<Buffer | undefined> {
    const coding = codingOf(this.#admitted.bare.encoding);
    if (typeof coding !== 'string') {
      this.#refuseWith(coding);
      return undefined;
    }
    const { acceptor, maxBodyBytes } = this.#context;
    this.#decoding = new AbortController();
    const bounds = { maxBytes: maxBodyBytes, memory: this, codingHeader: 'grpc-encoding' } as const;
    const body = await acceptor.decoders.decode({ body: message, codings: [coding], ...bounds }, this.#decoding);
    if (this.#hasEnded()) return undefined;
    if (!('kind' in body)) return body;
    this.refuse(body);
    return undefined;
  }

  #decode(body: Buffer): Generator<void, OtlpRecords<DirectorySource> | Refusal> {
    const { acceptor } = this.#context;
    const { headers, addressed } = this.#admitted;
    const request = {
      body,
      rawHeaders: headers,
      remoteAddress: this.#sender,
      arrivedAt: acceptor.clock.now(),
      memory: this,
      marks: this.#intake.span?.marks,
    };
    return decode(request, addressed, acceptor.ids);
  }

  #hasEnded(): boolean {
    return this.#state === 'answered';
  }

  #succeed(events: number): void {
    if (this.#state === 'answered') return;
    this.#state = 'answered';
    this.#intake.span?.end({ status: 0, failure: undefined, events });
    const rejected = this.#rejected;
    const { bare, headers, addressed } = this.#admitted;
    const { signal } = addressed;
    UnreadAnswer.watch(this.#context.intakes, bare, headBytesOf(headers));
    const bytes = responseBytes({ signal, rejected, message: rejectedMessage(rejected) });
    this.#admitted.answer(null, Buffer.from(bytes));
  }

  #refuseWith(refused: RefusedCall): void {
    if (this.#state === 'answered') return;
    this.#state = 'answered';
    this.#leaveArriving();
    this.#decoding?.abort();
    this.#message = undefined;
    this.#intake.span?.end({ status: refused.code, failure: errorName(refused.name), events: 0 });
    tellRefused(this.#context, this.#admitted, refused);
    this.#intake.end();
  }
}

/** Ends a call with a status that says why. */
export function tellRefused(
  { acceptor }: Pick<CallContext, 'acceptor'>,
  { answer }: Pick<AdmittedCall, 'answer'>,
  refused: RefusedCall,
): void {
  acceptor.telemetry.refused(refused.code, errorName(refused.name));
  answer(refused);
}

function senderOf(call: BytesCall, proxies: TrustedProxies): string {
  const origin = {
    // The port comes after the last colon.
    peer: call.getPeer().replace(/:[0-9]+$/, ''),
    xForwardedFor: textOf(call.metadata, 'x-forwarded-for'),
    forwarded: textOf(call.metadata, 'forwarded'),
  };
  return senderAddress(origin, proxies);
}

/** What the sender says of its trace. */
function contextOf({ metadata }: BytesCall): { traceparent: string | undefined; tracestate: string | undefined } {
  return { traceparent: textOf(metadata, 'traceparent'), tracestate: textOf(metadata, 'tracestate') };
}

function headBytesOf(headers: readonly string[]): number {
  let bytes = objectBytes;
  for (const text of headers) bytes += text.length + headerBytes / 2;
  return bytes;
}

function notOneMessage(messages: number): Refusal {
  const message = `The call has ${messages} messages: must be one. Nothing was stored.`;
  return { ...refusal('invalid', 'badRequest', message), stored: 'no' };
}
