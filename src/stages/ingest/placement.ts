import type { TopicPartition } from '../../core/offset.ts';
import type { DirectorySource } from './source-directory.ts';

const capacity = 10_000;

interface Turns {
  readonly places: readonly TopicPartition[];
  turn: number;
}

/** Gives each request of a source the next partition of its topic. */
export class Placement {
  readonly #turns = new Map<string, Turns>();

  partitionFor({ topic, partitions }: DirectorySource): TopicPartition {
    const known = this.#turns.get(topic);
    const turns = known?.places.length === partitions ? known : this.#begin(topic, partitions);
    const place = turns.places[turns.turn] ?? { topic, partition: 0 };
    turns.turn = turns.turn + 1 >= turns.places.length ? 0 : turns.turn + 1;
    return place;
  }

  #begin(topic: string, partitions: number): Turns {
    const places = Array.from({ length: partitions }, (_, partition) => ({ topic, partition }));
    const turns = { places, turn: 0 };
    // Topics of deleted sources are never asked for again; losing the turns of the others does no harm.
    if (this.#turns.size >= capacity) this.#turns.clear();
    this.#turns.set(topic, turns);
    return turns;
  }
}
