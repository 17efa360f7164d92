import { MillraceError } from '../../core/millrace-error.ts';
import type { Service } from '../../core/service.ts';
import type { Supervise, Supervised } from '../supervise.ts';

/** A host and a port; as a wish, port 0 is any free one. */
export interface Place {
  readonly host: string;
  readonly port: number;
  /** Other threads of this process listen there, too; absent: none does. */
  readonly isShared?: boolean;
}

/** A service that takes connections. */
export interface Listening extends Service {
  /** Listens; rejects when it cannot. */
  start(): Promise<void>;
  /** Where it listens; undefined before the start. */
  address(): Place | undefined;
}

export interface SupervisedListener<Kind extends Listening> {
  readonly supervised: Supervised<Kind>;
  readonly address: Place;
}

export interface ListenerOptions<Kind extends Listening> {
  readonly make: (place: Place) => Kind;
  readonly place: Place;
  readonly supervise: Supervise;
}

/**
 * Listens, and keeps listening: a listener that fails is made anew at the same place, where its clients look for it.
 * Rejects, with nothing left open, when the first one cannot listen.
 */
export async function superviseListener<Kind extends Listening>({
  make,
  place,
  supervise,
}: ListenerOptions<Kind>): Promise<SupervisedListener<Kind>> {
  const first = make(place);
  try {
    await first.start();
    const address = first.address();
    if (address === undefined) throw new MillraceError('internal.bug', `"${first.id}" listens and has no address`);
    const held = { ...place, port: address.port };
    let unused: Kind | undefined = first;
    const supervised = supervise(() => {
      const service = unused ?? make(held);
      unused = undefined;
      return service;
    });
    return { supervised, address };
  } catch (thrown) {
    await first[Symbol.asyncDispose]();
    throw thrown;
  }
}
