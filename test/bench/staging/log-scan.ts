import type { EventLog, GroupMember, LogRecord } from '../../../src/ports/event-log.ts';
import { makeTopic, never } from './outcomes.ts';

/** Reads a topic to its end, again and again, and does with each record as little as it may. */
export class LogScan implements AsyncDisposable {
  readonly #member: GroupMember;

  private constructor(member: GroupMember) {
    this.#member = member;
  }

  /** Of a topic that it makes. */
  static async of(log: EventLog, topic: string): Promise<LogScan> {
    await makeTopic(log, topic);
    const member = await log.join({ group: topic, member: topic }, { signal: never });
    await member.subscribe([topic], { signal: never });
    const scan = new LogScan(member);
    await scan.#stand();
    return scan;
  }

  /** The next `count` records, one after the other. */
  async read(count: number, each: (record: LogRecord) => void): Promise<void> {
    for (let seen = 0; seen < count;) {
      const batches = await this.#member.poll({ maxBytes: 1024 * 1024, maxWaitMs: 1000 }, { signal: never });
      for (const { records } of batches) {
        for (const record of records) each(record);
        seen += records.length;
      }
    }
  }

  async #stand(): Promise<void> {
    for (;;) {
      const [at] = this.#member.assignment.partitions;
      if (at !== undefined) {
        this.#member.seek(at, 0);
        this.#member.resume(at);
        return;
      }
      await this.#member.poll({ maxBytes: 1, maxWaitMs: 10 }, { signal: never });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#member[Symbol.asyncDispose]();
  }
}
