import { changeDocument, removeUnchanged } from '../../documents/change-document.ts';
import type { DocumentKind } from '../../documents/document-kind.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Undone } from './rollback.ts';

/** An object that was just shown, and the deleted one that it replaced, if there was one. */
export interface ShownDocument<Value extends object> {
  readonly kind: DocumentKind<Value>;
  readonly id: string;
  readonly shown: Value;
  readonly before: Value | undefined;
}

/** Takes what was shown back: to the deleted object that was there, or to nothing. One that was changed since is kept. */
export async function takeBack<Value extends { readonly incarnation: number }>(
  catalog: Catalog,
  { kind, id, shown, before }: ShownDocument<Value>,
  options: Waiting,
): Promise<Undone> {
  if (before === undefined) {
    const isGone = await removeUnchanged(catalog, { kind, id, value: shown }, options);
    return isGone ? undefined : 'kept';
  }
  const change = (now: Value | undefined) => (kind.isSame(now, shown) ? before : undefined);
  const left = (await changeDocument(catalog, { kind, id, change }, options))?.value;
  return left === before || left?.incarnation !== shown.incarnation ? undefined : 'kept';
}
