import type { IdentifiedPartition } from '../../ports/event-log.ts';

/** A topic and how many partitions it has. */
export interface CountedTopic {
  readonly name: string;
  readonly identity: string;
  readonly partitions: number;
}

/**
 * The partitions that one member of a group holds. Each member works them out alone from the list of all members: every
 * partition belongs to exactly one. The members stand in an order of their own for each topic, by a hash, and take its
 * partitions in turns; so one topic is shared evenly, and a member that comes or goes moves few partitions of others.
 * Adding or removing a topic moves none.
 */
export function shareOfTopics(
  topics: readonly CountedTopic[],
  members: readonly string[],
  self: string,
): readonly IdentifiedPartition[] {
  return topics.flatMap(({ name, identity, partitions }) => {
    const turn = placeAmong(members, self, name);
    if (turn === undefined) return [];
    const own: IdentifiedPartition[] = [];
    for (let partition = turn; partition < partitions; partition += members.length)
      own.push({ topic: name, identity, partition });
    return own;
  });
}

/** How many members come before this one in the topic's order; undefined for a stranger. */
function placeAmong(members: readonly string[], self: string, topic: string): number | undefined {
  const own = weight(self, topic);
  let before = 0;
  let isMember = false;
  for (const member of members) {
    if (member === self) isMember = true;
    else {
      const other = weight(member, topic);
      if (other > own || (other === own && member < self)) before += 1;
    }
  }
  return isMember ? before : undefined;
}

/** FNV-1a with a final mix, 32 bits. */
function weight(member: string, topic: string): number {
  let hash = 0x811c9dc5;
  for (const text of [topic, '\n', member]) {
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
