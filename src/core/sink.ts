import type { Column } from './column.ts';
import type { Signal } from './event.ts';
import type { BranchId, Incarnation, SinkId, SourceId } from './ids.ts';
import type { Deleted, Disabled, SettingOverrides, Stamp, Version } from './source.ts';
import type { TableId } from './table-id.ts';

/** The one type of table. The interface calls it so, and so do the definitions that catalogs hold. */
export const tableType = 'keboola';

/** The document of a sink in the catalog, collection `sink`. */
export interface Sink {
  readonly branchId: BranchId;
  readonly sourceId: SourceId;
  readonly sinkId: SinkId;
  readonly type: 'table';
  readonly name: string;
  readonly description: string;
  readonly allowedSignals: readonly Signal[];
  readonly table: { readonly type: typeof tableType; readonly tableId: TableId; readonly columns: readonly Column[] };
  readonly settings: SettingOverrides;
  readonly version: Version;
  readonly created: Stamp;
  readonly disabled?: Disabled;
  readonly deleted?: Deleted;
  /** The incarnation that takes events now, or took them last. */
  readonly incarnation: Incarnation;
  /** The mapping that `progress` of the incarnation names. */
  readonly mappingVersion: number;
  /** Given when it came back with its source: the existence of the source that it had been deleted with. */
  readonly returnsWith?: number;
  /** Id of the sink token in collection `token`; absent while there is none. */
  readonly tokenId?: string;
}
