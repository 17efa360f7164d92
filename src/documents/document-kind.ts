import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { MillraceError } from '../core/millrace-error.ts';
import { parseJsonText } from '../core/parse-json-text.ts';
import type { Collection } from '../ports/catalog.ts';
import { isUnusable } from './unusable.ts';

/** What is written beside a document whose format is not the first one. */
interface Format {
  readonly version: number;
  /** Releases that know only older formats may read the document, and must not change it. */
  readonly oldestWriter: number;
}

const firstFormat: Format = { version: 1, oldestWriter: 1 };
const version = z.int().min(1);
const marked = z.looseObject({ format: z.looseObject({ version, oldestWriter: version }).optional() });

/** A document as JSON gave it back, before anybody looked at its fields. */
export type RawDocument = Readonly<Record<string, unknown>>;

export interface DocumentKindOptions<Document extends object> {
  readonly collection: Collection;
  /** What texts call such a document. Default: by its collection. */
  readonly called?: string;
  /** Of loose objects at every depth: what it does not know it leaves as it is. */
  readonly schema: z.ZodType<Document>;
  /** The only id that such a document can have; absent: nobody looks. */
  idOf?(document: Document): string;
  /** The format that this release writes. Default: the first one. */
  readonly format?: Format;
  /** False for a document of the format before that may stay in it: whatever is new of this format is not in it. Default: none may. */
  needsFormat?(document: Document): boolean;
  /** By version: makes a document of the next version of one of this version. */
  readonly migrations?: Readonly<Record<number, (older: RawDocument) => RawDocument>>;
}

/**
 * A kind of document in the catalog: its shape, its format and how documents of older formats become documents of this one.
 * Releases of several ages work side by side during an upgrade, so that fields which this release does not know stay in what it parses,
 * and go back with what it writes (`docs/spec/upgrade.md`).
 */
export class DocumentKind<Document extends object> {
  readonly collection: Collection;
  readonly schema: z.ZodType<Document>;
  /** The one that this release writes. */
  readonly format: Format;
  readonly #called: string | undefined;
  readonly #options: Pick<DocumentKindOptions<Document>, 'idOf' | 'needsFormat'>;
  readonly #migrations: Readonly<Record<number, (older: RawDocument) => RawDocument>>;

  constructor(options: DocumentKindOptions<Document>) {
    const { collection, called, schema, format = firstFormat, migrations = {} } = options;
    this.collection = collection;
    this.#called = called;
    this.schema = schema;
    this.format = format;
    this.#options = options;
    this.#migrations = migrations;
  }

  /**
   * A document as a type, of whatever format the catalog has it. Another shape is `catalog.invalidDocument`, naming collection and path
   * but no value, because documents hold secrets; of a newer format it is `catalog.newerDocument`. Both name the id, where it is given.
   * One that stands under another id than its own is `catalog.invalidDocument`, too.
   */
  parse(value: unknown, id?: string): Document {
    const format = marked.safeParse(value);
    if (!format.success) throw this.#invalid(format.error, id);
    const { version } = format.data.format ?? firstFormat;
    const result = this.schema.safeParse(this.#migrated(format.data, version));
    if (!result.success)
      throw version > this.format.version ? this.#newer(version, id) : this.#invalid(result.error, id);
    const own = id === undefined ? undefined : this.#options.idOf?.(result.data);
    if (own !== undefined && own !== id) throw this.#misplaced(id, own);
    return result.data;
  }

  /** The same for work that goes on without it: undefined for one that cannot be read. */
  tryParse(value: unknown, id?: string): Document | undefined {
    try {
      return this.parse(value, id);
    } catch (thrown) {
      if (isUnusable(thrown)) return undefined;
      throw thrown;
    }
  }

  /** `catalog.newerDocument` when a newer release wrote the document and does not let this one change it. */
  requireWritable(document: object, id?: string): void {
    if (!this.isWritable(document)) throw this.#newer(formatOf(document).version, id);
  }

  /** True for a document of a format before the one of this release, in which it may not stay. */
  isOlder(document: Document): boolean {
    return formatOf(document).version < this.format.version && (this.#options.needsFormat?.(document) ?? true);
  }

  isWritable(document: object): boolean {
    return formatOf(document).oldestWriter <= this.format.version;
  }

  /** The document as it is written: with its format, unless it has this one or a newer one, or may stay in the one before. */
  sealed(document: Document & { readonly format?: Format }): object {
    if (!this.isOlder(document)) return document;
    return { ...document, format: { ...document.format, ...this.format } };
  }

  /** True for a document of the catalog that says the same, in whatever format it was written. */
  isSame(stored: unknown, document: Document): boolean {
    const found = this.tryParse(stored);
    return found !== undefined && isDeepStrictEqual(plain(this.sealed(found)), plain(this.sealed(document)));
  }

  /** Documents of this kind as somebody sees them who does not look at their fields. */
  unread(): DocumentKind<object> {
    const called = this.#called === undefined ? {} : { called: this.#called };
    const { collection, format } = this;
    return new DocumentKind<object>({ collection, ...called, schema: z.looseObject({}), format });
  }

  #migrated(document: RawDocument, from: number): RawDocument {
    let migrated = document;
    for (let version = from; version < this.format.version; version += 1)
      migrated = this.#migrations[version]?.(migrated) ?? migrated;
    return migrated;
  }

  #name(id: string | undefined): string {
    if (this.#called !== undefined) return this.#called;
    return `${id === undefined ? 'a document' : `the document "${id}"`} of the collection "${this.collection}"`;
  }

  #newer(version: number, id: string | undefined): MillraceError {
    const { collection } = this;
    const known = this.format.version;
    const text = `${this.#name(id)} has format ${version}; this version of the product knows formats up to ${known}`;
    return new MillraceError('catalog.newerDocument', text, { details: { collection, version, known } });
  }

  #misplaced(id: string | undefined, own: string): MillraceError {
    const { collection } = this;
    const text = `${this.#name(id)} is not in its place: it belongs under the id "${own}"`;
    return new MillraceError('catalog.invalidDocument', text, { details: { collection } });
  }

  #invalid(error: z.ZodError, id: string | undefined): MillraceError {
    const { collection } = this;
    const issue = error.issues[0];
    const path = issue?.path.map(String).join('.') ?? '';
    const what = issue?.message ?? 'does not have its shape';
    const text = `${this.#name(id)} is invalid at "${path === '' ? '(root)' : path}": ${what}`;
    return new MillraceError('catalog.invalidDocument', text, { cause: error, details: { collection, path } });
  }
}

/** What JSON makes of it, for comparing with what the catalog gives back. */
export function plain(value: object): unknown {
  return parseJsonText(JSON.stringify(value));
}

/** Of a document that was parsed, which has looked at it, or made. */
function formatOf(document: { readonly format?: Format }): Format {
  return document.format ?? firstFormat;
}
