import { MillraceError } from '../core/millrace-error.ts';
import { hasTakenAll } from '../core/progress/replay.ts';
import type { ImportRequest } from '../ports/import-ledger.ts';

/** `table.lettersGone` unless all dead letters that an import replaces were there, each once; `deleted` is how many went. */
export function requireTaken({ incarnation, replaced }: ImportRequest, deleted: number): void {
  const named = replaced?.expected ?? 0;
  if (hasTakenAll({ named, deleted })) return;
  const message = `of ${named} dead letters of incarnation ${incarnation} that were to be replayed ${deleted} were in their table`;
  throw new MillraceError('table.lettersGone', message, { details: { incarnation, named, deleted } });
}
