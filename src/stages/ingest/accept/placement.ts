import type { TopicPartition } from '../../../core/offset.ts';
import type { EventLog, PartitionCondition } from '../../../ports/event-log.ts';
import type { DirectorySource } from './source-directory.ts';

const capacity = 10_000;

/** A turn of a partition is so many bytes of requests, at least one request. */
export const turnBytes = 512 * 1024;

interface Turns {
  readonly places: readonly TopicPartition[];
  turn: number;
  /** Bytes that the present turn has had. */
  taken: number;
  /** Of its own, so that what is passed over goes to all that are well, not to a neighbour. */
  turnOfPassedOver: number;
}

/**
 * Gives the requests of a source to the partitions of its topic, which take turns. A turn is many requests, so that few events wake one
 * thread that maps, and one that stages, where one after the other would wake all. A partition that is late or refuses is passed over
 * as long as another is well, and has its turns again as soon as it is well.
 */
export class Placement {
  readonly #log: Pick<EventLog, 'condition'>;
  readonly #first: number;
  readonly #turns = new Map<string, Turns>();

  /** `first` differs in threads that share a topic, so that they do not all begin with the same partition. */
  constructor(log: Pick<EventLog, 'condition'>, first: number) {
    this.#log = log;
    this.#first = first;
  }

  /** Where a request of so many bytes goes; undefined when all partitions refuse. */
  partitionFor(source: DirectorySource, bytes: number): TopicPartition | undefined {
    const turns = this.#turnsOf(source);
    const place = this.#place(turns);
    turns.taken += bytes;
    if (turns.taken >= turnBytes) endTurn(turns);
    return place;
  }

  /** Where it goes when the partition that has its turn could not take it: that turn is over. */
  partitionAfter(source: DirectorySource): TopicPartition | undefined {
    const turns = this.#turnsOf(source);
    endTurn(turns);
    return this.#place(turns);
  }

  #turnsOf({ topic, partitions }: DirectorySource): Turns {
    const known = this.#turns.get(topic);
    return known?.places.length === partitions ? known : this.#begin(topic, partitions);
  }

  #place(turns: Turns): TopicPartition | undefined {
    const place = turns.places[turns.turn];
    return place !== undefined && this.#log.condition(place) === 'well' ? place : this.#other(turns);
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
    // Topics of deleted sources are never asked for again; losing the turns of the others does no harm.
    if (this.#turns.size >= capacity) this.#turns.clear();
    // Many sources of which each has few events: those are not all in the first partition.
    const turn = (this.#turns.size + this.#first) % partitions;
    const turns = { places, turn, taken: 0, turnOfPassedOver: 0 };
    this.#turns.set(topic, turns);
    return turns;
  }
}

function endTurn(turns: Turns): void {
  turns.taken = 0;
  turns.turn = (turns.turn + 1) % turns.places.length;
}
