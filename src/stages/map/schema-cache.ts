import type { Clock } from '../../core/clock.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { SchemaFormat, SchemaLookup, SchemaRegistry } from '../../ports/schema-registry.ts';

export interface SchemaCacheOptions {
  /** Undefined: the installation has none. */
  readonly registry: SchemaRegistry | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Schemas of one process at most, and bytes of their texts. */
const most = { schemas: 1000, bytes: 16 * 1024 * 1024 };

/** An id that cannot serve is asked for again after so long: it may have been given meanwhile. */
const unusableMs = 60_000;

const requestsAtOnce = 8;

interface Asked {
  readonly id: number;
  readonly format: SchemaFormat;
}

interface Kept {
  readonly lookup: SchemaLookup;
  readonly until: number;
}

/** Schemas that were got from the registry: an id means the same for ever, so each is asked for once and kept, those used last. */
export class SchemaCache {
  readonly #options: SchemaCacheOptions;
  /** The one that was used last comes last. */
  readonly #kept = new Map<string, Kept>();
  readonly #asked = new Map<string, Promise<SchemaLookup>>();
  #bytes = 0;

  constructor(options: SchemaCacheOptions) {
    this.#options = options;
  }

  /** What is known of an id, without asking. */
  find(id: number, format: SchemaFormat): SchemaLookup | undefined {
    const key = keyOf(id, format);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#drop(key);
    if (kept.until <= this.#options.clock.monotonic()) return undefined;
    this.#keep(key, kept);
    return kept.lookup;
  }

  /** Asks for ids, each once however many ask. Rejects with the first failure; `schemas.missing` when there is no registry. */
  async learn(
    ids: Iterable<number>,
    format: SchemaFormat,
    options: Waiting,
  ): Promise<ReadonlyMap<number, SchemaLookup>> {
    const { registry } = this.#options;
    if (registry === undefined) throw noRegistry(format);
    const learned = new Map<number, SchemaLookup>();
    const left = ids[Symbol.iterator]();
    const state = { failed: false };
    const ask = async (): Promise<void> => {
      for (let next = left.next(); next.done !== true && !state.failed; next = left.next()) {
        learned.set(next.value, await this.#learn(registry, { id: next.value, format }, options));
      }
    };
    const asking = Array.from({ length: requestsAtOnce }, ask);
    try {
      await Promise.all(asking);
    } finally {
      state.failed = true;
    }
    return learned;
  }

  #learn(registry: SchemaRegistry, { id, format }: Asked, options: Waiting): Promise<SchemaLookup> {
    const known = this.find(id, format);
    if (known !== undefined) return Promise.resolve(known);
    const key = keyOf(id, format);
    const asked =
      this.#asked.get(key) ??
      registry
        .find(id, format, options)
        .then((lookup) => this.#learned(key, lookup))
        .finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return asked;
  }

  #learned(key: string, lookup: SchemaLookup): SchemaLookup {
    const { clock } = this.#options;
    const until = lookup.kind === 'schema' ? Number.POSITIVE_INFINITY : clock.monotonic() + unusableMs;
    this.#keep(key, { lookup, until });
    return lookup;
  }

  #keep(key: string, kept: Kept): void {
    this.#drop(key);
    this.#kept.set(key, kept);
    this.#bytes += bytesOf(kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= most.schemas && this.#bytes <= most.bytes) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#bytes -= bytesOf(kept);
  }
}

function keyOf(id: number, format: SchemaFormat): string {
  return `${format} ${id}`;
}

function bytesOf({ lookup }: Kept): number {
  return lookup.kind === 'schema' ? lookup.bytes : lookup.problem.length;
}

function noRegistry(format: SchemaFormat): MillraceError {
  return new MillraceError(
    'schemas.missing',
    `the source has "kafka.value.format" ${format}, and the topology names no schema registry`,
  );
}
