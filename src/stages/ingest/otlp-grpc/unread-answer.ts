import type { Intakes } from '../accept/intakes.ts';
import type { Sender } from '../accept/sender.ts';
import type { BareCall } from './bare-call.ts';

/** Where a listener looks at what waits. */
type Watching = Pick<Intakes<Sender>, 'acceptor' | 'watch' | 'forget'>;

/** So long a sender may take to read an answer. */
const readWithinMs = 10_000;

/**
 * The answer of a call, until its sender has it: he may keep his window of HTTP/2 shut, and each call waits in memory meanwhile. It counts
 * for as long (D8), and is not waited for without end.
 */
export class UnreadAnswer {
  readonly #intakes: Watching;
  readonly #bare: BareCall;
  readonly #givenAt: number;

  private constructor(intakes: Watching, bare: BareCall) {
    this.#intakes = intakes;
    this.#bare = bare;
    this.#givenAt = intakes.acceptor.clock.monotonic();
  }

  /** Counts a call that is answered now, which takes so many bytes. */
  static watch(intakes: Watching, bare: BareCall, bytes: number): void {
    const answer = new UnreadAnswer(intakes, bare);
    const { inFlight } = intakes.acceptor;
    inFlight.count(bytes);
    intakes.watch(answer);
    bare.onClosed(() => {
      inFlight.remove(bytes);
      intakes.forget(answer);
    });
  }

  expire(now: number): void {
    if (now < this.#givenAt + readWithinMs) return;
    this.#intakes.forget(this);
    this.#intakes.acceptor.telemetry.cut('unreadAnswers');
    this.#bare.cancel();
  }
}
