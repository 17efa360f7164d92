import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { Kafka, logLevel, Partitioners, type Message } from 'kafkajs';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { openS3Client } from '../../../src/adapters/s3/client.ts';
import type { S3ObjectStoreOptions } from '../../../src/adapters/s3/config.ts';

/** The drivers alone, doing what each role does, as a person would write it in an afternoon. */

const silent = { logLevel: logLevel.NOTHING };

/** Reads `count` records of a topic from its beginning and gives each batch of values to `take`. */
async function consume(
  { brokers, topic, count }: { readonly brokers: string; readonly topic: string; readonly count: number },
  take: (values: readonly Buffer[]) => Promise<void>,
): Promise<void> {
  const kafka = new Kafka({ brokers: brokers.split(','), ...silent });
  const consumer = kafka.consumer({ groupId: `raw-${topic}-${Date.now()}`, maxWaitTimeInMs: 100 });
  const done = Promise.withResolvers<void>();
  let seen = 0;
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachBatch: async ({ batch }) => {
      await take(batch.messages.map(({ value }) => value ?? Buffer.alloc(0)));
      seen += batch.messages.length;
      if (seen >= count) done.resolve();
    },
  });
  await done.promise;
  await consumer.disconnect();
}

export interface RawTopics {
  readonly brokers: string;
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/** Consume and produce, seconds. */
export async function rawMap({ brokers, from, to, count }: RawTopics): Promise<number> {
  const kafka = new Kafka({ brokers: brokers.split(','), ...silent });
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    idempotent: true,
    maxInFlightRequests: 1,
  });
  await producer.connect();
  return timed(async () => {
    await consume({ brokers, topic: from, count }, async (values) => {
      const messages: Message[] = values.map((value) => ({ value, partition: 0 }));
      await producer.send({ topic: to, acks: -1, messages });
    });
    await producer.disconnect();
  });
}

/** Consume and put objects of so many records, seconds. */
export async function rawStage(
  { brokers, from, count }: Omit<RawTopics, 'to'>,
  { recordsPerObject, s3 }: { readonly recordsPerObject: number; readonly s3: S3ObjectStoreOptions },
): Promise<number> {
  const client = await openS3Client(s3);
  let held: Buffer[] = [];
  let objects = 0;
  const put = async (): Promise<void> => {
    objects += 1;
    await client.send(
      new PutObjectCommand({ Bucket: s3.bucket, Key: `raw/${Date.now()}-${objects}.csv`, Body: Buffer.concat(held) }),
    );
    held = [];
  };
  const seconds = await timed(async () => {
    await consume({ brokers, topic: from, count }, async (values) => {
      for (const value of values) {
        held.push(value.subarray(29));
        if (held.length === recordsPerObject) await put();
      }
    });
    if (held.length > 0) await put();
  });
  client.destroy();
  return seconds;
}

/** Gets the objects that the product has staged and copies them into a table of text columns, one transaction each; seconds. */
export async function rawImport(
  { url, columns }: { readonly url: string; readonly columns: readonly string[] },
  { s3, prefix }: { readonly s3: S3ObjectStoreOptions; readonly prefix: string },
): Promise<number> {
  const store = await openS3Client(s3);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE TABLE raw_copy (${columns.map((name) => `"${name}" text NOT NULL`).join(', ')})`);
  const seconds = await timed(async () => {
    const listed = await store.send(new ListObjectsV2Command({ Bucket: s3.bucket, Prefix: prefix }));
    for (const { Key } of listed.Contents ?? []) {
      const { Body } = await store.send(new GetObjectCommand({ Bucket: s3.bucket, Key }));
      if (!(Body instanceof Readable)) throw new Error(`object ${Key} has no content`);
      await client.query('BEGIN');
      await pipeline(Body, client.query(copyFrom('COPY raw_copy FROM STDIN WITH (FORMAT csv)')));
      await client.query('COMMIT');
    }
  });
  await client.end();
  store.destroy();
  return seconds;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
