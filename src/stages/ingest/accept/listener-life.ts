import type { Waiting } from '../../../ports/waiting.ts';
import type { Acceptor } from './acceptor.ts';
import type { IngestListener } from './ingest-listener.ts';
import { Intakes } from './intakes.ts';
import type { Sender } from './sender.ts';

/** The connections of a listener, whatever is spoken over them. */
export interface Transport {
  /** Resolves when it does not listen any more, or never could, and no connection is open; rejects when it fails. */
  readonly ended: Promise<void>;
  start(): Promise<void>;
  address(): ReturnType<IngestListener['address']>;
  /** Takes no new connection, and ends those that wait for no answer as far as it can tell. */
  close(): void;
  /** Ends connections without a request. */
  closeUnused(): void;
  /** See `IngestListener`. */
  renew(): void;
  /** Ends all connections at once. */
  closeAll(): void;
}

/** What a transport is made with. */
export interface TransportNeeds<Kind extends Sender> {
  readonly intakes: Intakes<Kind>;
  /** Aborted when the listener has to leave at once. */
  readonly waiting: Waiting;
}

/** The life of a listener for events: it runs until it has drained or is cut off, and finishes what was accepted (D10). */
export class ListenerLife<Kind extends Sender> implements IngestListener {
  readonly id: string;
  readonly #acceptor: Acceptor;
  readonly #leave = new AbortController();
  readonly #swept = new AbortController();
  /** The service has left, or failed. */
  readonly #ended = Promise.withResolvers<void>();
  readonly #intakes: Intakes<Kind>;
  readonly #transport: Transport;
  #drained: Promise<void> | undefined;

  constructor(id: string, acceptor: Acceptor, create: (needs: TransportNeeds<Kind>) => Transport) {
    this.id = id;
    this.#acceptor = acceptor;
    this.#intakes = new Intakes<Kind>(acceptor, this.#leave.signal);
    this.#transport = create({ intakes: this.#intakes, waiting: { signal: this.#leave.signal } });
    // A failure belongs to `run`; without one waiting it is no unhandled rejection.
    this.#ended.promise.catch(() => undefined);
    this.#transport.ended.catch((error: unknown) => this.#ended.reject(error));
  }

  start(): Promise<void> {
    return this.#transport.start();
  }

  address(): ReturnType<IngestListener['address']> {
    return this.#transport.address();
  }

  /** How many requests are being received or stored. */
  get requests(): number {
    return this.#intakes.size;
  }

  settled(options: Waiting): Promise<void> {
    return this.#intakes.settled(options);
  }

  renew(): void {
    this.#transport.renew();
  }

  async run(signal: AbortSignal): Promise<void> {
    const leave = (): void => this.#cut();
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    const sweeping = this.#intakes.sweep(AbortSignal.any([this.#swept.signal, this.#leave.signal]));
    try {
      if (!this.#leave.signal.aborted && this.#drained === undefined) await this.start();
      await this.#ended.promise;
    } finally {
      this.#swept.abort();
      await sweeping;
      signal.removeEventListener('abort', leave);
    }
  }

  drain(): Promise<void> {
    this.#drained ??= this.#finish();
    return this.#drained;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#cut();
    await Promise.allSettled([this.#ended.promise]);
  }

  /** D10: no new connection, no new request; what was accepted is stored and answered; what comes too late is cut. */
  async #finish(): Promise<void> {
    const { clock, limits } = this.#acceptor;
    const empty = this.#intakes.close();
    this.#transport.close();
    this.#transport.closeUnused();
    const finished = new AbortController();
    const patience = clock.sleep(limits.drainBodyMs, {
      signal: AbortSignal.any([finished.signal, this.#leave.signal]),
    });
    const late = patience.then(
      () => this.#cutLate(empty),
      () => undefined,
    );
    const done = empty.then(() => this.#transport.closeUnused()).then(() => this.#transport.ended);
    await Promise.race([done, this.#ended.promise]);
    finished.abort();
    await late;
    this.#ended.resolve();
  }

  async #cutLate(empty: Promise<void>): Promise<void> {
    this.#intakes.cutReceiving();
    await Promise.race([empty, this.#ended.promise]);
    this.#transport.closeAll();
  }

  /** Leaves at once: nothing is finished. */
  #cut(): void {
    if (this.#leave.signal.aborted) return;
    void this.#intakes.close();
    this.#leave.abort();
    this.#transport.close();
    this.#transport.ended.then(this.#ended.resolve, this.#ended.reject);
    this.#transport.closeAll();
  }
}
