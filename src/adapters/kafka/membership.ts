import type { Offset, TopicPartition } from '../../core/offset.ts';
import type { FullBroker } from './broker.ts';
import type { KafkaConnections } from './client.ts';
import { groupAwayMs, patienceStepMs } from './config.ts';
import { fromKafka, isPassing, kafkaErrorType } from './errors.ts';
import { decodeMembers, encodeMembers, joinGroup } from './join-group.ts';

export interface MembershipOptions {
  /** A connection of its own: a request to join makes everything behind it on the connection wait. */
  readonly connections: KafkaConnections;
  /** For what is not to wait behind a join. */
  readonly quickConnections: KafkaConnections;
  readonly group: string;
  readonly sessionTimeoutMs: number;
  readonly heartbeatMs: number;
  readonly onMembers: (members: readonly string[], self: string) => void;
  readonly onFailure: (error: Error) => void;
}

interface Seat {
  readonly memberId: string;
  readonly generation: number;
}

/** After a failure that does not pass by itself, for example a missing right, the group is asked again after this. */
const refusedMs = 1000;

/**
 * Membership in a group by Kafka's classic protocol, of which only the list of members is used. No member stops working
 * for a rebalance: what it holds changes when it learns of another list. A failure that lasts is told, and the tries go
 * on.
 */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #closing = new AbortController();
  #loop: Promise<void> | undefined;
  #coordinator: FullBroker | undefined;
  #memberId = '';
  #seat: Seat | undefined;
  #awaySince: number | undefined;
  #endPause: () => void = () => undefined;

  constructor(options: MembershipOptions) {
    this.#options = options;
  }

  /** Begins to join; does nothing when it has begun. */
  begin(): void {
    this.#loop ??= this.#run();
  }

  /** Notes the offset with the group, as far as this member is one at the moment. */
  async commit({ topic, partition }: TopicPartition, offset: Offset): Promise<void> {
    const seat = this.#seat;
    if (seat === undefined) return;
    const { quickConnections, group: groupId } = this.#options;
    const topics = [{ topic, partitions: [{ partition, offset: String(offset) }] }];
    try {
      const coordinator = await quickConnections.coordinator(groupId);
      await coordinator.offsetCommit({ groupId, groupGenerationId: seat.generation, memberId: seat.memberId, topics });
    } catch {
      // A hint for lag: when the group is rebalancing or cannot be reached, the next commit says it.
    }
  }

  /** Leaves the group. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#endPause();
    await this.#leave();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.#step();
        this.#awaySince = undefined;
        await this.#pause(this.#options.heartbeatMs);
      } catch (thrown) {
        await this.#mend(thrown);
      }
    }
  }

  async #step(): Promise<void> {
    const { connections, group } = this.#options;
    this.#coordinator ??= await connections.coordinator(group);
    if (this.#seat === undefined) await this.#join(this.#coordinator);
    else {
      const { generation: groupGenerationId, memberId } = this.#seat;
      await this.#coordinator.heartbeat({ groupId: group, groupGenerationId, memberId });
    }
  }

  async #join(coordinator: FullBroker): Promise<void> {
    const { group, sessionTimeoutMs, onMembers } = this.#options;
    const joined = await joinGroup(coordinator, { group, memberId: this.#memberId, sessionTimeoutMs });
    this.#memberId = joined.memberId;
    if (this.#closing.signal.aborted) return;
    if (joined.kind === 'named') return this.#join(coordinator);
    const { generation, memberId, members = [] } = joined;
    const list = encodeMembers(members);
    const { memberAssignment } = await coordinator.syncGroup({
      groupId: group,
      generationId: generation,
      memberId,
      groupAssignment: members.map((member) => ({ memberId: member, memberAssignment: list })),
    });
    this.#seat = { memberId, generation };
    onMembers(decodeMembers(memberAssignment), memberId);
  }

  async #mend(thrown: unknown): Promise<void> {
    const type = kafkaErrorType(thrown);
    switch (type) {
      case 'REBALANCE_IN_PROGRESS':
      case 'ILLEGAL_GENERATION':
        this.#seat = undefined;
        return;
      case 'UNKNOWN_MEMBER_ID':
        this.#seat = undefined;
        this.#memberId = '';
        return;
      default:
        this.#coordinator = undefined;
        this.#tell(thrown);
        await this.#pause(isPassing(thrown) ? patienceStepMs : refusedMs);
    }
  }

  /** A failure that passes by itself is told when it lasts; any other is told at once, and again while it lasts. */
  #tell(thrown: unknown): void {
    const now = performance.now();
    const since = (this.#awaySince ??= isPassing(thrown) ? now : Number.NEGATIVE_INFINITY);
    if (now - since < groupAwayMs || this.#closing.signal.aborted) return;
    this.#awaySince = now;
    this.#options.onFailure(fromKafka(thrown, `group "${this.#options.group}" cannot be joined`));
  }

  /** Also ends a request to join that the coordinator has not answered. */
  async #leave(): Promise<void> {
    const { quickConnections, group: groupId } = this.#options;
    const memberId = this.#memberId;
    if (memberId === '') return;
    try {
      await (await quickConnections.coordinator(groupId)).leaveGroup({ groupId, memberId });
    } catch {
      // The group forgets a member that it does not hear of.
    }
  }

  async #pause(ms: number): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endPause = resolve;
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
  }
}
