import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { HttpLoad } from './http-load.ts';

const headEnd = Buffer.from('\r\n\r\n');

interface Listeners {
  readonly onAnswer: (ok: boolean, startedAt: number) => void;
  /** It was closed by the other side, or broke. */
  readonly onBreak: () => void;
}

/** One connection that is kept alive, with at most one request in flight. Reads answers as little as it can. */
export class Connection {
  readonly connected: Promise<unknown>;
  readonly #place: Pick<HttpLoad, 'host' | 'port'>;
  #socket: Socket;
  readonly #next: () => Uint8Array;
  readonly #listeners: Listeners;
  #pending: Buffer | undefined;
  #startedAt = 0;
  /** Length of the last answer: answers are alike, so most need no look at their head. */
  #length = -1;
  #isInFlight = false;
  #sendsOn = false;
  #isStopped = false;
  /** The other side has said that its last answer ends the connection: the next request needs another one. */
  #isEnding = false;
  /** Told when nothing is in flight any more. */
  #onFinished: (() => void) | undefined;

  /** `next` gives the request that is sent next. */
  constructor(
    { host, port, next }: Pick<HttpLoad, 'host' | 'port'> & { readonly next: () => Uint8Array },
    listeners: Listeners,
  ) {
    this.#next = next;
    this.#listeners = listeners;
    this.#place = { host, port };
    this.#socket = this.#connect();
    this.connected = once(this.#socket, 'connect');
  }

  #connect(): Socket {
    // One buffer for all that is read: no object for each piece.
    const onread = { buffer: Buffer.allocUnsafe(16 * 1024), callback: this.#receive.bind(this) };
    const socket = connect({ ...this.#place, noDelay: true, onread });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (socket !== this.#socket || this.#isEnding) return;
      if (!this.#isStopped) this.#listeners.onBreak();
      this.#onFinished?.();
    });
    return socket;
  }

  get isFree(): boolean {
    return !this.#isInFlight;
  }

  /** Sends the request, and again with each answer, until it is finished or stopped. */
  sendOnAndOn(): void {
    this.#sendsOn = true;
    this.sendOnce(performance.now());
  }

  /** `startedAt` is when the request was due; it may be a little in the past. */
  sendOnce(startedAt: number): void {
    this.#isInFlight = true;
    this.#startedAt = startedAt;
    if (this.#isEnding) {
      this.#isEnding = false;
      this.#socket = this.#connect();
    }
    this.#socket.write(this.#next());
  }

  /** Sends nothing more; resolves when the request in flight has its answer. */
  finish(): Promise<void> {
    this.#sendsOn = false;
    this.#isStopped = true;
    if (!this.#isInFlight || this.#socket.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onFinished = resolve;
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#socket.destroy();
  }

  #receive(length: number, buffer: Uint8Array): boolean {
    const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, length);
    const bytes = this.#pending === undefined ? chunk : Buffer.concat([this.#pending, chunk]);
    if (bytes.length !== this.#length) {
      const whole = answerLength(bytes);
      if (whole === undefined || bytes.length < whole) {
        this.#pending = Buffer.from(bytes);
        return true;
      }
      this.#isEnding = isLast(bytes);
      if (!this.#isEnding) this.#length = whole;
    }
    this.#pending = undefined;
    this.#isInFlight = false;
    // Byte 9 is the first digit of the status: `HTTP/1.1 200`.
    this.#listeners.onAnswer(bytes[9] === 0x32, this.#startedAt);
    if (this.#sendsOn) this.sendOnce(performance.now());
    else this.#onFinished?.();
    return true;
  }
}

/** Whether the answer says that it ends the connection. */
function isLast(answer: Buffer): boolean {
  return /\r\nconnection: *close\r\n/i.test(answer.toString('latin1', 0, answer.indexOf(headEnd) + 2));
}

/** Of a whole answer, head and body; undefined when its head is not there yet. */
export function answerLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return undefined;
  const declared = /content-length: *([0-9]+)/i.exec(bytes.toString('latin1', 0, end))?.[1];
  return end + headEnd.length + Number(declared ?? 0);
}
