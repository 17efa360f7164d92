import { limits } from '../../core/limits.ts';
import type { SourceType } from '../../core/source.ts';
import type { KafkaValueFormat } from '../../core/settings/millrace-settings.ts';
import { unpackOtlp, type UnpackedRequest } from '../../events/unpack-otlp.ts';
import { isIngested } from '../../mapping/is-ingested.ts';
import type { LogRecord, RecordBatch } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Decoded, SchemaFormat, SchemaLookup } from '../../ports/schema-registry.ts';
import { namedSchema } from './named-schema.ts';
import type { SchemaCache } from './schema-cache.ts';

/** What a record's value is decoded to, one event or several; undefined for one that is taken as it is. */
export type DecodeRecord = (record: LogRecord) => Decoded | UnpackedRequest | undefined;

const asItIs: DecodeRecord = () => undefined;
const unpack: DecodeRecord = (record) => (isIngested(record.headers) ? undefined : unpackOtlp(record));

/** A record without a value deletes its key for other readers of the topic; here it is an event like every other. */
const noValue: Decoded = { kind: 'json', text: Buffer.from('null') };

interface Lacking {
  readonly format: SchemaFormat;
  readonly ids: ReadonlySet<number>;
}

/**
 * Decodes the records of one partition that came from other producers; first it gets the schemas that they name. Without schemas, those of
 * a source of OTLP hold requests of it.
 */
export class PartitionDecoding {
  readonly #schemas: SchemaCache;
  #lacking: Lacking | undefined;
  /**
   * The schemas that the batch has got so far while it lacked others: however many it names, they are all there in the
   * end.
   */
  #found: ReadonlyMap<number, SchemaLookup> = new Map();

  constructor(schemas: SchemaCache) {
    this.#schemas = schemas;
  }

  /** How to decode a batch now; undefined when schemas are lacking that `learn` gets. */
  of({ records }: RecordBatch, format: KafkaValueFormat, sourceType: SourceType): DecodeRecord | undefined {
    if (format === 'raw') return this.#know(sourceType === 'otlp' ? unpack : asItIs);
    const found = new Map<number, SchemaLookup>();
    const lacking = new Set<number>();
    for (const { value, headers } of records) {
      const named = namedSchema(value);
      if (named.kind === 'unnamed' || found.has(named.id) || lacking.has(named.id) || isIngested(headers)) continue;
      const lookup = this.#found.get(named.id) ?? this.#schemas.find(named.id, format);
      if (lookup === undefined) lacking.add(named.id);
      else found.set(named.id, lookup);
    }
    if (lacking.size === 0) return this.#know((record) => decode(record, found));
    this.#lacking = { format, ids: lacking };
    this.#found = found;
    return undefined;
  }

  #know(decodeRecord: DecodeRecord): DecodeRecord {
    this.#lacking = undefined;
    this.#found = new Map();
    return decodeRecord;
  }

  /** Gets what the last batch lacks, if it lacks anything in this format. Rejects as `SchemaCache.learn`. */
  async learn(format: KafkaValueFormat, options: Waiting): Promise<void> {
    const lacking = this.#lacking;
    if (lacking?.format !== format) return;
    const learned = await this.#schemas.learn(lacking.ids, lacking.format, options);
    if (this.#lacking !== lacking) return;
    this.#lacking = undefined;
    this.#found = new Map([...this.#found, ...learned]);
  }
}

function decode({ value, headers }: LogRecord, schemas: ReadonlyMap<number, SchemaLookup>): Decoded | undefined {
  if (isIngested(headers)) return undefined;
  // No mapping reads it either.
  if (value.length > limits.eventBytes) return undefined;
  if (value.length === 0) return noValue;
  const named = namedSchema(value);
  if (named.kind === 'unnamed') return { kind: 'undecodable', problem: named.problem };
  const lookup = schemas.get(named.id);
  if (lookup?.kind !== 'schema') return ofSchema(named.id, lookup?.problem ?? 'it was not looked up');
  const decoded = lookup.decode(named.payload);
  return decoded.kind === 'json' ? decoded : ofSchema(named.id, decoded.problem);
}

function ofSchema(id: number, problem: string): Decoded {
  return { kind: 'undecodable', problem: `schema ${id}: ${problem}` };
}
