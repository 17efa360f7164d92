import { parseJsonText } from '../../core/parse-json-text.ts';

/** How far a reader of `changes` has come. */
export interface CatalogToken {
  /** Of the catalog. */
  readonly epoch: string;
  /** The counter when it was read. */
  readonly last: number;
  /**
   * By `_id` of each record that a pending write named then: the revision of the document that the reader was given, 0
   * for none. These are looked at again: the write may come with a number up to `last`.
   */
  readonly unsettled: ReadonlyMap<string, number>;
}

export function formatToken({ epoch, last, unsettled }: CatalogToken): string {
  const rest = unsettled.size === 0 ? '' : `.${Buffer.from(JSON.stringify([...unsettled])).toString('base64url')}`;
  return `${epoch}.${last}${rest}`;
}

/** Undefined for what `formatToken` did not make. */
export function parseToken(text: string | undefined): CatalogToken | undefined {
  const [, epoch, last, rest = ''] = /^([0-9a-f-]{36})\.([0-9]{1,15})(?:\.([\w-]+))?$/.exec(text ?? '') ?? [];
  if (epoch === undefined || last === undefined) return undefined;
  const unsettled = rest === '' ? new Map<string, number>() : parseUnsettled(rest);
  return unsettled && { epoch, last: Number(last), unsettled };
}

function parseUnsettled(text: string): ReadonlyMap<string, number> | undefined {
  try {
    const entries = parseJsonText(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(entries)) return undefined;
    const unsettled = new Map<string, number>();
    for (const entry of entries as readonly unknown[]) {
      const [id, revision] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
      if (typeof id !== 'string' || typeof revision !== 'number') return undefined;
      unsettled.set(id, revision);
    }
    return unsettled;
  } catch {
    return undefined;
  }
}
