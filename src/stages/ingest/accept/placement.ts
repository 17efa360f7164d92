import type { TopicPartition } from '../../../core/offset.ts';
import type { EventLog, PartitionCondition } from '../../../ports/event-log.ts';
import type { DirectorySource } from './source-directory.ts';

const capacity = 10_000;

interface Turns {
  readonly places: readonly TopicPartition[];
  turn: number;
  /** Of its own, so that what is passed over goes to all that are well, not to a neighbour. */
  turnOfPassedOver: number;
}

/**
 * Gives each request of a source the next partition of its topic. One that is late or refuses is passed over as long as
 * another is well, and has its turns again as soon as it is well.
 */
export class Placement {
  readonly #log: Pick<EventLog, 'condition'>;
  readonly #turns = new Map<string, Turns>();

  constructor(log: Pick<EventLog, 'condition'>) {
    this.#log = log;
  }

  /** Undefined when all partitions refuse. */
  partitionFor({ topic, partitions }: DirectorySource): TopicPartition | undefined {
    const known = this.#turns.get(topic);
    const turns = known?.places.length === partitions ? known : this.#begin(topic, partitions);
    const place = turns.places[turns.turn] ?? { topic, partition: 0 };
    turns.turn = turns.turn + 1 >= turns.places.length ? 0 : turns.turn + 1;
    return this.#log.condition(place) === 'well' ? place : this.#other(turns);
  }

  #other(turns: Turns): TopicPartition | undefined {
    const places = this.#places(turns, 'well');
    const candidates = places.length > 0 ? places : this.#places(turns, 'late');
    turns.turnOfPassedOver += 1;
    return candidates[turns.turnOfPassedOver % candidates.length];
  }

  #places({ places }: Turns, condition: PartitionCondition): readonly TopicPartition[] {
    return places.filter((place) => this.#log.condition(place) === condition);
  }

  #begin(topic: string, partitions: number): Turns {
    const places = Array.from({ length: partitions }, (_, partition) => ({ topic, partition }));
    const turns = { places, turn: 0, turnOfPassedOver: 0 };
    // Topics of deleted sources are never asked for again; losing the turns of the others does no harm.
    if (this.#turns.size >= capacity) this.#turns.clear();
    this.#turns.set(topic, turns);
    return turns;
  }
}
