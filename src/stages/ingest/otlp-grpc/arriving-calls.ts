import { isTrusted, type TrustedProxies } from '../../../core/sender-address.ts';
import { senderNetwork } from '../../../core/sender-network.ts';
import type { SharedTally } from '../../../core/shared-tally.ts';
import { InFlight, type HeldTogether } from '../accept/in-flight.ts';

/** Of the memory of all requests: at most so many parts of it for calls that arrive, and for those of one address. */
const parts = 2;
const partsOfAddress = 4;

/**
 * What calls take whose message has not arrived, without its bytes (D8): whoever begins calls and does not end them takes the place neither
 * of other listeners nor of other addresses. Trusted proxies are no one's address. The bounds are those of all threads that take events.
 */
export class ArrivingCalls {
  readonly #proxies: TrustedProxies;
  readonly #mostOfAddress: number;
  readonly #all: InFlight;
  readonly #byNetwork = new Map<string, InFlight>();
  readonly #together: SharedTally | undefined;

  /** `together`: with the other threads; absent: there are none. */
  constructor(maxBufferedBytes: number, proxies: TrustedProxies, together?: SharedTally) {
    this.#proxies = proxies;
    this.#together = together;
    this.#mostOfAddress = maxBufferedBytes / partsOfAddress;
    this.#all = new InFlight(maxBufferedBytes / parts, together?.all);
  }

  /** Counts a call, or refuses it. */
  add(address: string, bytes: number): boolean {
    const network = senderNetwork(address);
    const own = this.#byNetwork.get(network) ?? this.#ofNetwork(network);
    const isCrowded = !own.fits(bytes) && !isTrusted(address, this.#proxies);
    if (isCrowded || !this.#all.add(bytes)) return false;
    own.count(bytes);
    this.#byNetwork.set(network, own);
    return true;
  }

  /** Takes back what `add` has counted. */
  remove(address: string, bytes: number): void {
    const network = senderNetwork(address);
    const own = this.#byNetwork.get(network);
    own?.remove(bytes);
    if (own?.bytes === 0) this.#byNetwork.delete(network);
    this.#all.remove(bytes);
  }

  #ofNetwork(network: string): InFlight {
    const byName = this.#together?.byName;
    if (byName === undefined) return new InFlight(this.#mostOfAddress);
    const together: HeldTogether = {
      set: (part) => byName.set(network, part),
      get others() {
        return byName.others(network);
      },
    };
    return new InFlight(this.#mostOfAddress, together);
  }
}
