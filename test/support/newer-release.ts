import type { Catalog } from '../../src/ports/catalog.ts';
import { withMethod } from './with-method.ts';

const field = 'fromANewerRelease';
/** Their keys are partitions, versions or settings, not fields. */
const records: ReadonlySet<string> = new Set(
  'entries totals flush filesOpened mappedWith passedIntervals letters settings'.split(' '),
);
/** Kept as they came, from a request or as a copy of something else. */
const opaque: ReadonlySet<string> = new Set(['table', 'before', 'after', 'definition']);

type Fields = Record<string, unknown>;

/** The document with a field more in each of its parts, as a newer release may write it. */
export function withNewerFields<Document extends object>(document: Document): Document {
  return marked('document', document, opaque) as Document;
}

/** The same, in the parts that are kept as they came, too. */
export function withNewerFieldsEverywhere(document: object): unknown {
  return marked('document', document, new Set());
}

function marked(name: string, value: unknown, left: ReadonlySet<string>): unknown {
  if (left.has(name) || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => marked(name, one, left));
  const fields = Object.entries(value).map(([key, one]) => [key, marked(key, one, left)]);
  return Object.fromEntries(isRecord(name, value) ? fields : [...fields, [field, true]]) as unknown;
}

/** Parts that are there before and after a change, and have lost what the newer release wrote into them. */
export function lostFields(before: object, after: object): readonly string[] {
  const now = new Map(partsOf('document', after));
  return [...partsOf('document', before)]
    .filter(([name, part]) => field in part && !(field in (now.get(name) ?? part)))
    .map(([name]) => name);
}

/** Parts by what they are, wherever they stand: a slice moves, and what is begun anew is another one. */
function* partsOf(name: string, value: unknown): Generator<readonly [string, Fields]> {
  if (Array.isArray(value)) {
    for (const one of value) yield* partsOf(name, one);
  } else if (typeof value === 'object' && value !== null) {
    const part = value as Fields;
    const own = identityOf(name, part);
    if (!isRecord(name, part) && !isEmptyInterval(part)) yield [own, part];
    for (const [key, one] of Object.entries(part)) yield* partsOf(name === 'document' ? key : `${own}.${key}`, one);
  }
}

/** Of what proves the age of records, `topics` are by name; those of a sink are fields. */
function isRecord(name: string, part: object): boolean {
  const areTopics = name === 'topics' && Object.values(part).every((one) => typeof one === 'object');
  return areTopics || records.has(name);
}

/** It wants nothing and is forgotten; another one may begin where it did. */
function isEmptyInterval({ start, end }: Fields): boolean {
  return start !== undefined && start === end;
}

function identityOf(name: string, part: Fields): string {
  const { incarnation, id, start, number, since, at, name: object, text } = part;
  if (name === 'document') return `${name} ${JSON.stringify(incarnation)}`;
  if (id !== undefined && number === undefined) return `slice ${JSON.stringify(id)}`;
  const which = start ?? number ?? since ?? at ?? object ?? text;
  return which === undefined ? name : `${name} ${JSON.stringify(which)}`;
}

/** A catalog that a process of a newer release writes, too: it adds its own to every document, and `lost` names what is gone of it. */
export class CatalogOfTwoReleases {
  /** Collection, document and part. */
  readonly lost: string[] = [];
  /** Collections of which a document was changed that the newer release had written. */
  readonly changed = new Set<string>();

  beside(catalog: Catalog): Catalog {
    return withMethod(catalog, 'compareAndSet', async (write, options) => {
      const { collection, id, expected, value } = write;
      const before = await catalog.get(collection, id, options);
      const result = await catalog.compareAndSet({ ...write, value: withNewerFields(value) }, options);
      if (result.kind === 'conflict' || before === undefined || before.revision !== expected) return result;
      this.changed.add(collection);
      this.lost.push(...lostFields(before.value as object, value).map((part) => `${collection} ${id}: ${part}`));
      return result;
    });
  }
}

/** A process of a newer release that changes each source and each sink right before this one does; `lost` names what is gone of it. */
export class BusyNewerRelease {
  readonly lost: string[] = [];
  changes = 0;
  /** Revisions that it has written, by document. */
  readonly #written = new Map<string, number>();

  beside(catalog: Catalog): Catalog {
    return withMethod(catalog, 'compareAndSet', async (write, options) => {
      const { collection, id, expected } = write;
      const place = `${collection} ${id}`;
      if (collection !== 'source' && collection !== 'sink') return catalog.compareAndSet(write, options);
      const found = await catalog.get(collection, id, options);
      if (found === undefined || found.revision !== expected) return catalog.compareAndSet(write, options);
      if (this.#written.get(place) === expected) {
        const { [field]: theirs } = found.value as Fields;
        if ((write.value as Fields)[field] !== theirs) this.lost.push(`${place}: change ${String(theirs)}`);
        return catalog.compareAndSet(write, options);
      }
      const value = { ...(found.value as object), [field]: (this.changes += 1) };
      const theirs = await catalog.compareAndSet({ ...write, value }, options);
      if (theirs.kind === 'written') this.#written.set(place, theirs.revision);
      return { kind: 'conflict' };
    });
  }
}
