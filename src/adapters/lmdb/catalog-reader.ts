import { MillraceError } from '../../core/millrace-error.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import type { CatalogQuery, Changes, Collection, Versioned } from '../../ports/catalog.ts';
import { freshSnapshot, readCounter, type CatalogEnvironment } from './catalog-environment.ts';
import { documentIdOf, documentKey, maxIdLength, prefixRange, revisionsAfter } from './catalog-keys.ts';

/** The reads of the catalog. Each is one snapshot that holds every commit made before the call, by any thread. */
export class CatalogReader {
  readonly #environment: CatalogEnvironment;

  constructor(environment: CatalogEnvironment) {
    this.#environment = environment;
  }

  get(collection: Collection, id: string): Versioned | undefined {
    freshSnapshot(this.#environment);
    return this.#document(collection, id);
  }

  list(query: CatalogQuery): readonly Versioned[] {
    freshSnapshot(this.#environment);
    return this.#list(query);
  }

  #list({ collection, prefix, after, limit }: CatalogQuery): readonly Versioned[] {
    const range = prefixRange(collection, prefix);
    // No id is longer, so what is cut off lets none in or out.
    const from = after === undefined ? undefined : documentKey(collection, after.slice(0, maxIdLength));
    const start = from === undefined || Buffer.compare(from, range.start) < 0 ? range.start : from;
    if (Buffer.compare(start, range.end) >= 0) return [];
    const found: Versioned[] = [];
    if (limit !== undefined && limit <= 0) return found;
    const options = { start, end: range.end, exclusiveStart: start === from, versions: true };
    for (const { key, value, version } of this.#environment.documents.getRange(options)) {
      const id = documentIdOf(collection, key);
      found.push({ id, revision: version ?? 0, value: parse(value, collection, id) });
      if (found.length === limit) break;
    }
    return found;
  }

  count(collection: Collection, prefix: string): number {
    freshSnapshot(this.#environment);
    return this.#environment.documents.getKeysCount(prefixRange(collection, prefix));
  }

  /** True when `changesSince` of this token would say something. */
  hasChanged(collection: Collection, token: string | undefined): boolean {
    freshSnapshot(this.#environment);
    return this.#revisionOf(token) !== readCounter(this.#environment, collection).revision;
  }

  changesSince(collection: Collection, token: string | undefined): Changes {
    freshSnapshot(this.#environment);
    const { epoch, changes, removals } = this.#environment;
    const counter = readCounter(this.#environment, collection);
    const since = this.#revisionOf(token);
    const nextToken = `${epoch}.${counter.revision}`;
    if (since === undefined || since < counter.floor || since > counter.revision) {
      const written = this.#list({ collection, prefix: '' });
      return { token: nextToken, written, removed: [], complete: true };
    }
    const range = revisionsAfter(collection, since);
    const written: Versioned[] = [];
    for (const { value: id } of changes.getRange(range)) {
      const document = this.#document(collection, id);
      if (document !== undefined) written.push(document);
    }
    const present = new Set(written.map((document) => document.id));
    const removed = new Set<string>();
    for (const { value: id } of removals.getRange(range)) if (!present.has(id)) removed.add(id);
    return { token: nextToken, written, removed: [...removed], complete: false };
  }

  #document(collection: Collection, id: string): Versioned | undefined {
    const entry = this.#environment.documents.getEntry(documentKey(collection, id));
    return entry && { id, revision: entry.version ?? 0, value: parse(entry.value, collection, id) };
  }

  /** Undefined for no token, and for a token of another environment. */
  #revisionOf(token: string | undefined): number | undefined {
    const [epoch, revision = ''] = token?.split('.') ?? [];
    return epoch === this.#environment.epoch && /^[0-9]{1,15}$/.test(revision) ? Number(revision) : undefined;
  }
}

function parse(text: string, collection: Collection, id: string): unknown {
  try {
    return parseJsonText(text);
  } catch (cause) {
    const message = `the document "${id}" of collection "${collection}" is not JSON`;
    throw new MillraceError('catalog.invalidDocument', message, { cause, details: { collection, id } });
  }
}
