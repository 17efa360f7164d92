import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ack, frame, noSettings, preface, types, type FrameParts } from './http2-frames.ts';

export interface ReceivedFrame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

const headBytes = 9;

/** A connection over HTTP/2 of which each frame is written by hand. It answers nothing by itself. */
export class RawHttp2 implements Disposable {
  readonly #socket: Socket;
  readonly #frames: ReceivedFrame[] = [];
  #received = Buffer.alloc(0);
  #onChange = (): void => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('close', () => this.#onChange());
  }

  /** Connects, and begins as a client does: both sides know the settings of the other one. */
  static async connect(port: number): Promise<RawHttp2> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await once(socket, 'connect');
    const client = new RawHttp2(socket);
    client.write(preface, noSettings);
    await client.next(types.settings);
    client.send(types.settings, { flags: ack });
    return client;
  }

  send(type: number, parts: FrameParts = {}): void {
    this.write(frame(type, parts));
  }

  write(...frames: readonly Uint8Array[]): void {
    this.#socket.write(Buffer.concat(frames));
  }

  /**
   * The next frame of a type that was not given yet, without acknowledgements; those before it are gone. Undefined when the connection
   * ends first.
   */
  async next(type: number): Promise<ReceivedFrame | undefined> {
    for (;;) {
      const found = this.#frames.shift();
      if (found === undefined) {
        if (this.#socket.closed) return undefined;
        await new Promise<void>((resolve) => {
          this.#onChange = resolve;
        });
      } else if (found.type === type && !isAcknowledgement(found)) {
        return found;
      }
    }
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    let rest = Buffer.concat([this.#received, bytes]);
    while (rest.length >= headBytes) {
      const end = headBytes + rest.readUIntBE(0, 3);
      if (rest.length < end) break;
      const [type = 0, flags = 0] = rest.subarray(3, 5);
      this.#frames.push({ type, flags, stream: rest.readUInt32BE(5), payload: rest.subarray(headBytes, end) });
      rest = rest.subarray(end);
    }
    this.#received = rest;
    this.#onChange();
  }
}

function isAcknowledgement({ type, flags }: ReceivedFrame): boolean {
  return (type === types.settings || type === types.ping) && (flags & ack) !== 0;
}
