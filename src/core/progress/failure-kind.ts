import type { ErrorCode } from '../error-catalogue.ts';

/**
 * What made an import fail. `misfit`: the table does not take rows of this mapping version. `damage`: the content or an
 * object of some slice. `rights`: the sink's token. `unread`: an object, or the whole store, cannot be read. `strain`:
 * more than the table store can take at once. `other`: a store that is away, or a bug. Only the first three are the
 * slice's own affair: it is given up when they last.
 */
export type FailureKind = 'misfit' | 'damage' | 'rights' | 'unread' | 'strain' | 'other';

const codes: readonly (readonly [ErrorCode, FailureKind])[] = [
  ['table.schemaMismatch', 'misfit'],
  ['table.notFound', 'misfit'],
  ['table.invalidContent', 'damage'],
  ['objects.notFound', 'damage'],
  ['objects.corrupt', 'damage'],
  ['sink.tokenMissing', 'rights'],
  ['objects.unavailable', 'unread'],
  ['table.outOfMemory', 'strain'],
];
const kinds = new Map<string, FailureKind>(codes);

/** The kind of a failure by the code of its error. */
export function failureKind(code: string): FailureKind {
  return kinds.get(code) ?? 'other';
}
