import type { SourceKey } from '../../../core/ids.ts';
import type { EffectiveSettings } from '../../../core/settings/effective.ts';
import type { SourceSecret, SourceType } from '../../../core/source.ts';
import type { SourceRefusal } from '../../../events/refusal.ts';

/** What ingest needs to know of one source. Deleted sources are not in the directory. */
export interface DirectorySource {
  readonly key: SourceKey;
  readonly type: SourceType;
  /** A secret with `validUntil` at or before now no longer authenticates. */
  readonly secrets: readonly SourceSecret[];
  readonly disabled: boolean;
  readonly topic: string;
  readonly partitions: number;
  /** True when the source or any of its enabled sinks says so. */
  readonly syncWait: boolean;
  readonly batch: EffectiveSettings['batch'];
  /** What says how a body is read. */
  readonly contentType: EffectiveSettings['contentType'];
  /** Content type of requests that name none; empty: none. */
  readonly defaultContentType: string;
  readonly enabledSinks: number;
  readonly refusal: SourceRefusal | undefined;
}

/** The sources as this process knows them, without asking anybody. */
export interface SourceDirectory {
  /** Changes with every change of what `find` answers, a `refusal` too; what was derived from a lookup holds until then. */
  readonly version: number;
  /** The sources of this id in all branches, ascending by branch; empty for another project. */
  find(projectId: number, sourceId: string): readonly DirectorySource[];
  /** All sources; those of one id ascending by branch. */
  all(): Iterable<DirectorySource>;
}
