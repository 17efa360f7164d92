import type { InstallationId } from '../../core/installation-id.ts';
import { damagedMark, installationMark, parseInstallationMark } from '../../core/installation-mark.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { NewRecord } from '../../ports/event-log.ts';
import type { PartitionReads } from './partition-reads.ts';
import type { TopicAdmin } from './topic-admin.ts';
import type { TopicDirectory } from './topic-directory.ts';

export interface InstallationMarkOptions {
  readonly topic: string;
  readonly topics: TopicAdmin;
  readonly directory: TopicDirectory;
  readonly reads: PartitionReads;
  /** Appends durably to partition 0 of the topic. */
  readonly append: (record: NewRecord, signal: AbortSignal) => Promise<unknown>;
}

/**
 * The mark of the brokers: the first record of a topic of its own. Kafka has no "write when there is none": a claimant
 * appends its mark and then reads the first record, which is the same for all.
 */
export class InstallationMark {
  readonly #options: InstallationMarkOptions;

  constructor(options: InstallationMarkOptions) {
    this.#options = options;
  }

  async read(): Promise<InstallationId | undefined> {
    const { topic, directory, reads } = this.#options;
    if ((await directory.describe(topic)) === undefined) return undefined;
    const at = { topic, partition: 0 };
    const [{ first, stableEnd: end } = { first: 0, stableEnd: 0 }] = await reads.ranges(topic, [at.partition]);
    const record = await reads.firstBetween(at, first, end);
    // Whose the record was that stood before it, nobody can tell.
    if (first > 0) throw damagedMark(`the first record of the topic "${topic}" is gone`);
    if (record === undefined) return undefined;
    return parseInstallationMark(Buffer.from(record.value).toString(), `the first record of the topic "${topic}"`);
  }

  async write(installation: InstallationId, signal: AbortSignal): Promise<InstallationId> {
    const { topic, topics, append } = this.#options;
    const present = await this.read();
    if (present !== undefined) return present;
    await topics.createLasting({ name: topic, partitions: 1 }, signal);
    signal.throwIfAborted();
    await append({ value: Buffer.from(installationMark(installation)), headers: [], timestamp: Date.now() }, signal);
    const first = await this.read();
    if (first !== undefined) return first;
    throw new MillraceError('log.unavailable', `the first record of the topic "${topic}" was there and is gone`);
  }
}
