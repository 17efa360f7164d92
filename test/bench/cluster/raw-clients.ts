import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Kafka, logLevel, Partitioners, type Message } from 'kafkajs';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** The drivers alone, doing what each role does, as a person would write it in an afternoon. */

const silent = { logLevel: logLevel.NOTHING };
const gzipBytes = promisify(gzip);

export interface RawTopic {
  readonly brokers: string;
  readonly topic: string;
  readonly count: number;
}

/**
 * Reads `count` records of a topic from its beginning and gives each batch of values to `take`. Answers how many came after the first
 * batch, and the seconds since: joining the group is not counted.
 */
async function consume(
  { brokers, topic, count }: RawTopic,
  take: (values: readonly Buffer[]) => Promise<void>,
): Promise<RawWork> {
  const kafka = new Kafka({ brokers: brokers.split(','), ...silent });
  const consumer = kafka.consumer({ groupId: `raw-${topic}-${Date.now()}`, maxWaitTimeInMs: 100 });
  const done = Promise.withResolvers<void>();
  let [seen, first, began] = [0, 0, 0];
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachBatch: async ({ batch }) => {
      await take(batch.messages.map(({ value }) => value ?? Buffer.alloc(0)));
      seen += batch.messages.length;
      if (began === 0) [first, began] = [seen, performance.now()];
      if (seen >= count) done.resolve();
    },
  });
  await done.promise;
  const work = { events: seen - first, seconds: (performance.now() - began) / 1000 };
  await consumer.disconnect();
  return work;
}

/** What is counted, and how long it took. */
export interface RawWork {
  readonly events: number;
  readonly seconds: number;
}

/** Consumes and produces. */
export async function rawMap({ to, ...from }: RawTopic & { readonly to: string }): Promise<RawWork> {
  const kafka = new Kafka({ brokers: from.brokers.split(','), ...silent });
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    idempotent: true,
    maxInFlightRequests: 1,
  });
  await producer.connect();
  const work = await consume(from, async (values) => {
    const messages: Message[] = values.map((value) => ({ value, partition: 0 }));
    await producer.send({ topic: to, acks: -1, messages });
  });
  await producer.disconnect();
  return work;
}

export interface RawObjects {
  readonly client: S3Client;
  readonly bucket: string;
}

/** Consumes, and puts compressed objects of so many rows. */
export async function rawStage(
  { recordsPerObject, ...from }: RawTopic & { readonly recordsPerObject: number },
  { client, bucket }: RawObjects,
): Promise<RawWork> {
  const outcomeHeaderBytes = 29;
  let held: Buffer[] = [];
  const put = async (): Promise<void> => {
    const Body = await gzipBytes(Buffer.concat(held), { level: 1 });
    held = [];
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: `raw/${process.hrtime.bigint()}.csv.gz`, Body }));
  };
  return await consume(from, async (values) => {
    for (const value of values) {
      held.push(value.subarray(outcomeHeaderBytes));
      if (held.length === recordsPerObject) await put();
    }
  });
}

export interface RawTable {
  readonly url: string;
  readonly columns: readonly string[];
  /** Of the objects. */
  readonly prefix: string;
  readonly events: number;
}

/** Gets the objects that the product has staged and copies them into a table of text columns, one transaction each. */
export async function rawImport(
  { url, columns, prefix, events }: RawTable,
  { client: store, bucket }: RawObjects,
): Promise<RawWork> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    `DROP TABLE IF EXISTS raw_copy; CREATE TABLE raw_copy (${columns.map((name) => `"${name}" text NOT NULL`).join(', ')})`,
  );
  const began = performance.now();
  const listed = await store.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
  for (const { Key } of listed.Contents ?? []) {
    const { Body } = await store.send(new GetObjectCommand({ Bucket: bucket, Key }));
    if (!(Body instanceof Readable)) throw new Error(`object ${Key} has no content`);
    await client.query('BEGIN');
    await pipeline(Body, createGunzip(), client.query(copyFrom('COPY raw_copy FROM STDIN WITH (FORMAT csv)')));
    await client.query('COMMIT');
  }
  const seconds = (performance.now() - began) / 1000;
  const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM raw_copy');
  await client.end();
  if (Number(rows[0]?.count) !== events) throw new Error(`the raw import has ${rows[0]?.count} rows, not ${events}`);
  return { events, seconds };
}
