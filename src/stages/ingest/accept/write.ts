import type { IdList } from '../../../events/id-texts.ts';
import type { Refusal } from '../../../events/refusal.ts';
import type { NewRecords } from '../../../ports/event-log.ts';
import type { DirectorySource } from './source-directory.ts';

/** What one source gets of a request: one append, to one partition. */
export interface Write {
  readonly source: DirectorySource;
  readonly records: NewRecords;
  /** Of its events, in their order. */
  readonly ids: IdList;
}

/** What became of the events of a request in one source. */
export interface WriteResult {
  readonly write: Write;
  readonly outcome: 'stored' | 'accepted' | Refusal;
}
