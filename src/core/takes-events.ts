import type { Sink } from './sink.ts';
import type { Source } from './source.ts';

/**
 * Whether a source takes the events of its senders, or a sink those of its source, as far as its definition says; undefined: there is
 * none.
 */
export function takesEvents(of: Pick<Source | Sink, 'disabled' | 'deleted'> | undefined): boolean {
  return of !== undefined && of.disabled === undefined && of.deleted === undefined;
}
