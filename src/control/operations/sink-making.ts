import type { SinkDefinition } from '../../documents/version-document.ts';
import type { SinkKey } from '../../core/ids.ts';
import { tableType, type Sink } from '../../core/sink.ts';
import type { Disabled, Stamp, Version } from '../../core/source.ts';
import type { SinkPlan } from './sink-plan.ts';
import { followingVersion, sinkDefinition, type VersionNote } from '../store/version-of.ts';

/** An existence of a sink that is about to be made: of a plan, or of the deleted sink that comes back. */
export interface SinkMaking {
  readonly key: SinkKey;
  readonly definition: SinkDefinition;
  readonly version: Version;
  readonly created: Stamp;
  readonly backfill: SinkPlan['backfill'];
  /** The deleted sink under this id, whose place it takes. */
  readonly before: Sink | undefined;
  /** Given: it takes no events until it is enabled. */
  readonly disabled?: Disabled;
  /** What the deleted sink had that is not made anew, fields of a newer release with it; absent: it begins with nothing. */
  readonly kept?: object;
  /** Given when it comes back with its source: the existence that both were deleted with. */
  readonly returnsWith?: number;
}

export interface MakingOf {
  readonly before: Sink | undefined;
  readonly stamp: Stamp;
  readonly disabled?: Disabled | undefined;
}

/** A sink by a plan; its versions go on where those of the deleted one ended. */
export function planned(plan: SinkPlan, { before, stamp, disabled }: MakingOf): SinkMaking {
  const { key, name, description, allowedSignals, tableId, columns, backfill } = plan;
  const table = { type: tableType, tableId, columns } as const;
  const definition = { type: 'table', name, description, allowedSignals, table, settings: {} } as const;
  return {
    key,
    definition,
    version: followingVersion(before?.version, definition, { description: 'New sink.', stamp }),
    created: before?.created ?? stamp,
    backfill,
    before,
    ...(disabled === undefined ? {} : { disabled }),
  };
}

export interface ReturnOf {
  readonly disabled: Disabled | undefined;
  /** Of the version that begins; absent: the sink comes back under the version that it had. */
  readonly note?: VersionNote;
  readonly returnsWith?: number;
}

/** A deleted sink as it was. */
export function restored(before: Sink, { note, disabled, returnsWith }: ReturnOf): SinkMaking {
  const { branchId, sourceId, sinkId, version, created } = before;
  const { deleted: _, disabled: __, returnsWith: ___, tokenId: ____, ...kept } = before;
  const definition = sinkDefinition(before);
  return {
    kept,
    key: { branchId, sourceId, sinkId },
    definition,
    version: note === undefined ? version : followingVersion(version, definition, note),
    created,
    backfill: 'latest',
    before,
    ...(disabled === undefined ? {} : { disabled }),
    ...(returnsWith === undefined ? {} : { returnsWith }),
  };
}
