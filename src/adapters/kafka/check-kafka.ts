import kafkajs, { type Admin, type ConfigResourceTypes } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { clockFinding, clockOffset } from '../../core/clock-finding.ts';
import { sentence, type Finding } from '../../core/finding.ts';
import { abortable } from '../../core/abortable.ts';
import type { Looking } from '../looking.ts';
import { createKafka } from './client.ts';
import { batchOverheadBytes, brokersOwnReplication, type KafkaEventLogOptions } from './config.ts';
import { fromKafka, isPassing, reasonOfTopic } from './errors.ts';
import { openKafkaEventLog } from './event-log.ts';

const retryMs = 200;
const tries = 25;

/**
 * Tries all that the log needs of the brokers with a topic of its own, which it removes. What is wrong is a finding; it
 * rejects only with the signal's reason.
 */
export async function checkKafka(options: KafkaEventLogOptions, { now, signal }: Looking): Promise<readonly Finding[]> {
  const admin = createKafka(options, `${options.clientId}-check`).admin();
  const check = new KafkaCheck(admin, options, { now, signal });
  try {
    await abortable(check.run(), signal);
    return check.findings;
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

class KafkaCheck {
  readonly findings: Finding[] = [];
  readonly #admin: Admin;
  readonly #options: KafkaEventLogOptions;
  readonly #place: Looking;
  readonly #began = performance.now();
  readonly #topic = `millrace-check.${randomUUID()}`;

  constructor(admin: Admin, options: KafkaEventLogOptions, place: Looking) {
    this.#admin = admin;
    this.#options = options;
    this.#place = place;
  }

  async run(): Promise<void> {
    const brokers = await this.#connect();
    if (brokers === undefined) return;
    await this.#brokerSettings(brokers);
    if (!(await this.#makeTopic(brokers.length))) return;
    try {
      await this.#topicSettings(brokers);
      await this.#append();
    } finally {
      await this.#removeTopic();
    }
  }

  /** Ids of the brokers; undefined when none answers. */
  async #connect(): Promise<readonly number[] | undefined> {
    try {
      await this.#admin.connect();
      const { brokers } = await this.#admin.describeCluster();
      const names = brokers.map(({ host, port }) => `${host}:${port}`).join(', ');
      this.#add('good', 'connection', `The cluster has ${counted(brokers.length, 'broker')}: ${names}.`);
      return brokers.map(({ nodeId }) => nodeId);
    } catch (thrown) {
      this.#failed('connection', thrown, `cannot reach Kafka at ${this.#options.brokers.join(', ')}`);
      return undefined;
    }
  }

  async #brokerSettings([broker = 0]: readonly number[]): Promise<void> {
    try {
      const settings = await this.#settings(kafkajs.ConfigResourceTypes.BROKER, String(broker));
      if (settings.get('auto.create.topics.enable') === 'true') {
        const advice = 'set auto.create.topics.enable=false, or a mistyped name of any client makes a topic';
        this.#add('advice', 'autoCreate', `Brokers make topics by themselves: ${advice}.`);
      } else this.#add('good', 'autoCreate', 'Brokers make no topics by themselves.');
      this.#session(settings);
    } catch (thrown) {
      this.#failed('settings', thrown, 'cannot read the settings of the brokers (DescribeConfigs on the cluster)');
    }
  }

  #session(settings: ReadonlyMap<string, string>): void {
    const { sessionTimeoutMs = 10_000 } = this.#options;
    const least = Number(settings.get('group.min.session.timeout.ms') ?? 0);
    const most = Number(settings.get('group.max.session.timeout.ms') ?? Number.POSITIVE_INFINITY);
    const bounds = `${least} to ${most} ms (group.min and group.max.session.timeout.ms)`;
    if (sessionTimeoutMs >= least && sessionTimeoutMs <= most) {
      this.#add('good', 'session', `A session of ${sessionTimeoutMs} ms is within what brokers allow, ${bounds}.`);
    } else
      this.#add(
        'bad',
        'session',
        `The session (log.sessionTimeout) is ${sessionTimeoutMs} ms, and brokers allow ${bounds}.`,
      );
  }

  /** With the broker's own times, so that an append shows its clock. */
  async #makeTopic(brokers: number): Promise<boolean> {
    const { replication, minInSyncReplicas, maxAppendBytes } = this.#options.topics ?? {};
    const configEntries = [{ name: 'message.timestamp.type', value: 'LogAppendTime' }];
    if ((this.#options.compression ?? 'none') !== 'none')
      configEntries.push({ name: 'compression.type', value: 'producer' });
    if (minInSyncReplicas !== undefined)
      configEntries.push({ name: 'min.insync.replicas', value: String(minInSyncReplicas) });
    if (maxAppendBytes !== undefined)
      configEntries.push({ name: 'max.message.bytes', value: String(maxAppendBytes + batchOverheadBytes) });
    const replicationFactor = replication ?? brokersOwnReplication;
    try {
      const topics = [{ topic: this.#topic, numPartitions: 1, replicationFactor, configEntries }];
      await this.#admin.createTopics({ waitForLeaders: false, topics });
      this.#add('good', 'topics', 'Topics may be made, with the settings of the topology.');
      return true;
    } catch (thrown) {
      const asked =
        replication === undefined ? '' : ` with replication ${replication} on ${counted(brokers, 'broker')}`;
      const isTooMuch = replication !== undefined && replication > brokers;
      const advice = isTooMuch ? ' (add brokers, or lower log.topics.replication)' : '';
      this.#failed('topics', reasonOfTopic(thrown), `cannot make a topic${asked}${advice}`);
      return false;
    }
  }

  async #topicSettings(brokers: readonly number[]): Promise<void> {
    try {
      const [topic] = (await this.#patiently(() => this.#admin.fetchTopicMetadata({ topics: [this.#topic] }))).topics;
      const replicas = topic?.partitions[0]?.replicas.length ?? 0;
      const settings = await this.#patiently(() => this.#settings(kafkajs.ConfigResourceTypes.TOPIC, this.#topic));
      this.#durability({ replicas, brokers: brokers.length, inSync: Number(settings.get('min.insync.replicas') ?? 1) });
      const bytes = Number(settings.get('max.message.bytes') ?? 0) - batchOverheadBytes;
      this.#add('good', 'size', `An append takes up to ${bytes} bytes.`);
      this.#compression(settings.get('compression.type') ?? 'producer');
      if (settings.get('unclean.leader.election.enable') === 'true') {
        const advice = 'set unclean.leader.election.enable=false';
        this.#add(
          'bad',
          'durability',
          `A replica that lags may become the leader, and acknowledged events are lost: ${advice}.`,
        );
      }
    } catch (thrown) {
      this.#failed('settings', thrown, 'cannot read the settings of a topic (DescribeConfigs on topics)');
    }
  }

  /** Whether brokers keep batches as they come, in the codec of the topology. */
  #compression(kept: string): void {
    const { compression: sent = 'none' } = this.#options;
    const sentAs = sent === 'none' ? 'not compressed' : `compressed with ${sent}`;
    const isKept = kept === 'producer' || kept === sent || (kept === 'uncompressed' && sent === 'none');
    if (isKept) return this.#add('good', 'compression', `Batches are sent and kept ${sentAs}.`);
    const anew = kept === 'uncompressed' ? 'unpack each of them' : `compress each of them anew with ${kept}`;
    const advice = 'set compression.type=producer';
    const orElse = kept === 'uncompressed' ? 'log.compression: none' : `log.compression: ${kept}`;
    this.#add('advice', 'compression', `Batches are sent ${sentAs}, and brokers ${anew}: ${advice}, or ${orElse}.`);
  }

  #durability({ replicas, brokers, inSync }: { replicas: number; brokers: number; inSync: number }): void {
    const what = `New topics have ${counted(replicas, 'replica')}, of which ${inSync} must have an event before it is acknowledged`;
    if (inSync > replicas) {
      this.#add(
        'bad',
        'durability',
        `${what}: nothing can be written; lower min.insync.replicas or raise the replication.`,
      );
    } else if (replicas === 1 || inSync === 1) {
      const advice = brokers < 3 ? 'run at least three brokers, with' : 'ask for';
      this.#add(
        'advice',
        'durability',
        `${what}: a lost disk loses events; ${advice} replication 3 and minInSyncReplicas 2.`,
      );
    } else if (inSync === replicas) {
      this.#add('advice', 'durability', `${what}: one broker that restarts stops all writing; raise the replication.`);
    } else this.#add('good', 'durability', `${what}.`);
  }

  async #append(): Promise<void> {
    const { signal } = this.#place;
    await using log = openKafkaEventLog(this.#options);
    const at = { topic: this.#topic, partition: 0 };
    try {
      const from = this.#now();
      await log.append(at, [{ value: Buffer.from('check'), headers: [], timestamp: from }], { signal });
      const stored = await log.lastRecord(at, { signal });
      this.#add('good', 'append', 'Records may be written and read.');
      if (stored === undefined) return;
      this.findings.push(clockFinding('broker', clockOffset(stored.timestamp, { from, to: this.#now() })));
    } catch (thrown) {
      signal.throwIfAborted();
      this.#failed('append', thrown, 'cannot write and read a record');
    }
  }

  #now(): number {
    return Math.round(this.#place.now + performance.now() - this.#began);
  }

  async #removeTopic(): Promise<void> {
    try {
      await this.#patiently(() => this.#admin.deleteTopics({ topics: [this.#topic] }));
      this.#add('good', 'leftovers', 'Topics may be deleted.');
    } catch (thrown) {
      this.#failed('leftovers', thrown, `cannot delete topics, "${this.#topic}" stays`);
    }
  }

  async #settings(type: ConfigResourceTypes, name: string): Promise<ReadonlyMap<string, string>> {
    const { resources } = await this.#admin.describeConfigs({ includeSynonyms: false, resources: [{ type, name }] });
    const entries = resources.flatMap(({ configEntries }) => configEntries);
    return new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
  }

  /** Brokers learn of a topic a moment after the controller. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let left = tries; ; left -= 1) {
      try {
        return await work();
      } catch (thrown) {
        this.#place.signal.throwIfAborted();
        if (left === 0 || !isPassing(thrown)) throw thrown;
        await sleep(retryMs);
      }
    }
  }

  #failed(about: Finding['about'], thrown: unknown, what: string): void {
    this.#place.signal.throwIfAborted();
    const { message } = fromKafka(thrown, what);
    this.#add('bad', about, sentence(message));
  }

  #add(kind: Finding['kind'], about: Finding['about'], text: string): void {
    this.findings.push({ kind, about, text });
  }
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
