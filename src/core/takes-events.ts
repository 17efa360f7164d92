import type { Source } from './source.ts';

/** Whether a source takes the events of its senders, as far as its definition says; undefined: there is no source. */
export function takesEvents(source: Source | undefined): boolean {
  return source !== undefined && source.disabled === undefined && source.deleted === undefined;
}
