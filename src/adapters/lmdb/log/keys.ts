/** A partition inside the environment: topics are numbered when they are made, and no number is used twice. */
export interface StoredPartition {
  readonly number: number;
  readonly partition: number;
}

/** First byte of a key. Keys of one kind lie together, partitions in order, batches by their first offset. */
const tags = { layout: 1, topic: 2, end: 3, start: 4, batch: 5, member: 6, committed: 7, purge: 8, mark: 9 } as const;

/** Offsets in keys are 64 bits; what is above 2^53 is never written. */
const upperHalf = 2 ** 32;

/** One counter that moves with every change of topics and group members. */
export const layoutKey = Buffer.from([tags.layout]);

/** Whose the log is. */
export const markKey = Buffer.from([tags.mark]);

export function topicKey(name: string): Buffer {
  return Buffer.concat([Buffer.from([tags.topic]), Buffer.from(name)]);
}

export function topicNameOf(key: Buffer): string {
  return key.toString('utf8', 1);
}

export function endKey(at: StoredPartition): Buffer {
  return partitionKey(tags.end, at);
}

export function startKey(at: StoredPartition): Buffer {
  return partitionKey(tags.start, at);
}

export function batchKey(at: StoredPartition, base: number): Buffer {
  const key = Buffer.allocUnsafe(17);
  writePartition(key, tags.batch, at);
  key.writeUInt32BE(Math.floor(base / upperHalf), 9);
  key.writeUInt32BE(base % upperHalf, 13);
  return key;
}

export function batchBase(key: Buffer): number {
  return key.readUInt32BE(9) * upperHalf + key.readUInt32BE(13);
}

export function memberKey(group: string, id: string): Buffer {
  return Buffer.concat([Buffer.from([tags.member]), Buffer.from(`${group}\0${id}`)]);
}

/** The end of a member's key: what `memberKey` was given as `id`. */
export function memberId(key: Buffer): string {
  const text = key.toString('utf8', 1);
  return text.slice(text.indexOf('\0') + 1);
}

export function committedKey(at: StoredPartition, group: string): Buffer {
  return Buffer.concat([partitionKey(tags.committed, at), Buffer.from(group)]);
}

/** Marks a deleted topic whose batches are being removed. */
export function purgeKey(number: number): Buffer {
  const key = Buffer.allocUnsafe(5);
  key.writeUInt8(tags.purge, 0);
  key.writeUInt32BE(number, 1);
  return key;
}

export function purgeNumber(key: Buffer): number {
  return key.readUInt32BE(1);
}

export interface KeyRange {
  readonly start: Buffer;
  /** Exclusive. */
  readonly end: Buffer;
}

/** All keys that begin with `prefix`; its last byte is below 255. */
function prefixRange(prefix: Buffer): KeyRange {
  const end = Buffer.from(prefix);
  const last = end.length - 1;
  end.writeUInt8(end.readUInt8(last) + 1, last);
  return { start: prefix, end };
}

/** Topics from the name on; the caller stops where names no longer begin with it. */
export function topicsFrom(prefix: string): KeyRange {
  return { start: topicKey(prefix), end: Buffer.from([tags.topic + 1]) };
}

export function membersOf(group: string): KeyRange {
  return {
    start: memberKey(group, ''),
    end: Buffer.concat([Buffer.from([tags.member]), Buffer.from(`${group}\u0001`)]),
  };
}

export const allMembers: KeyRange = prefixRange(Buffer.from([tags.member]));

export const allPurges: KeyRange = prefixRange(Buffer.from([tags.purge]));

/** What hangs on a topic beyond its description: batches, and positions of groups. */
export function contentOf(number: number): readonly KeyRange[] {
  return [tags.batch, tags.committed].map((tag) => ({
    start: partitionKey(tag, { number, partition: 0 }),
    end: partitionKey(tag, { number: number + 1, partition: 0 }),
  }));
}

function partitionKey(tag: number, at: StoredPartition): Buffer {
  const key = Buffer.allocUnsafe(9);
  writePartition(key, tag, at);
  return key;
}

function writePartition(key: Buffer, tag: number, at: StoredPartition): void {
  key.writeUInt8(tag, 0);
  key.writeUInt32BE(at.number, 1);
  key.writeUInt32BE(at.partition, 5);
}
