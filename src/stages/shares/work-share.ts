import type { EventLog, GroupMember } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** What is to be done is hashed to the partitions of this topic; the member of a role's group that has the partition does it. */
const workTopic = 'millrace.work';
const workPartitions = 16;

export interface ShareOptions {
  /** Log that holds the internal topic. */
  readonly log: EventLog;
  /** Each role has its own. */
  readonly group: string;
  /** Name of this member for people. */
  readonly member: string;
}

/** The share of one process in the work of a role. Two may have the same for a while: correctness does not rest on it. */
export class WorkShare implements AsyncDisposable {
  readonly #member: GroupMember;

  private constructor(member: GroupMember) {
    this.#member = member;
  }

  /** Resolves before the share is known: it is empty until the first `rest`. */
  static async join({ log, group, member }: ShareOptions, options: Waiting): Promise<WorkShare> {
    await log.createTopic({ name: workTopic, partitions: workPartitions }, options);
    const joined = await log.join({ group, member }, options);
    await joined.subscribe([workTopic], options);
    return new WorkShare(joined);
  }

  /** Another one when the share may be another. */
  get generation(): number {
    return this.#member.assignment.generation;
  }

  /** Whether what has this number is for this process to do. */
  has(number: number): boolean {
    return this.#member.assignment.partitions.some(({ partition }) => partition === number % workPartitions);
  }

  /** Waits up to `ms`, less when the share changed or `wake` was called. One loop alone rests. */
  async rest(ms: number, options: Waiting): Promise<void> {
    await this.#member.poll({ maxBytes: 1, maxWaitMs: ms }, options);
  }

  /** Ends the rest. May be called from anywhere. */
  wake(): void {
    this.#member.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#member[Symbol.asyncDispose]();
  }
}
