/** A member as it takes part in sharing out. */
export interface GroupCandidate {
  readonly id: string;
  readonly topics: ReadonlySet<string>;
}

export interface AssignableTopic {
  readonly name: string;
  /** Grows with every topic that is made. */
  readonly number: number;
  readonly partitions: number;
}

/**
 * The partitions that `id` holds, computed by each member for itself from the same facts: each partition goes to one
 * of the members that subscribe to its topic, ordered by id. A topic that comes or goes moves no other partition.
 */
export function partitionsOf<Topic extends AssignableTopic>(
  id: string,
  topics: readonly Topic[],
  members: readonly GroupCandidate[],
): readonly { readonly topic: Topic; readonly partition: number }[] {
  const ordered = members.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const held: { readonly topic: Topic; readonly partition: number }[] = [];
  for (const topic of topics) {
    const candidates = ordered.length === 1 ? ordered : ordered.filter((member) => member.topics.has(topic.name));
    for (let partition = 0; partition < topic.partitions; partition++) {
      if (candidates[(topic.number + partition) % candidates.length]?.id === id) held.push({ topic, partition });
    }
  }
  return held;
}
