import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A TCP connection that sends what no HTTP client would, and reads HTTP answers one by one. */
export class RawClient implements Disposable {
  readonly #socket: Socket;
  readonly #closed = Promise.withResolvers<void>();
  #received = '';
  #onChange = (): void => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text) => {
      this.#received += text.toString();
      this.#onChange();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#closed.resolve();
      this.#onChange();
    });
  }

  static async connect(port: number): Promise<RawClient> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new RawClient(socket);
  }

  /** Resolves when the text or bytes are with the operating system, or could not be sent. */
  async send(content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
    await new Promise<void>((resolve) => {
      this.#socket.write(bytes, () => resolve());
    });
  }

  /** Sends no more, and still reads. */
  endSending(): void {
    this.#socket.end();
  }

  /** Reads nothing any more. */
  pause(): void {
    this.#socket.pause();
  }

  /** Breaks the connection off. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** The first answer that was not given yet; undefined when the connection ends without a whole one. */
  async answer(): Promise<RawAnswer | undefined> {
    for (;;) {
      const parsed = parseAnswer(this.#received);
      if (parsed !== undefined) {
        this.#received = this.#received.slice(parsed.length);
        return parsed.answer;
      }
      if (this.#socket.destroyed) return undefined;
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
  }

  /** Resolves when the connection has ended. */
  async closed(): Promise<void> {
    await this.#closed.promise;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

function parseAnswer(text: string): { readonly answer: RawAnswer; readonly length: number } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const status = Number(statusLine.split(' ')[1]);
  const length = end + 4 + (status === 100 ? 0 : Number(headers.get('content-length') ?? 0));
  if (text.length < length) return undefined;
  return { answer: { status, headers, body: text.slice(end + 4, length) }, length };
}
