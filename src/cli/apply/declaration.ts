import type { Signal } from '../../core/event.ts';
import type { SettingOverrides, SourceType } from '../../core/source.ts';
import type { ColumnRename } from '../../core/column-change.ts';
import type { Column } from '../../core/column.ts';
import type { ConfigurationRef } from './configuration-declaration.ts';

/**
 * A source as a file declares it and as an installation has it, in one canonical form, so that the two can be compared:
 * every field is there, settings are overrides in the text that the API gives them. It holds no secret.
 */
export interface SourceDeclaration {
  readonly sourceId: string;
  readonly type: SourceType;
  readonly name: string;
  readonly description: string;
  readonly disabled: boolean;
  /** Of its topic, from its making on; absent in a file: as many as there are, or as the process gives a source that is made. */
  readonly partitions?: number;
  readonly settings: SettingOverrides;
  /** By id, sorted. */
  readonly sinks: readonly SinkDeclaration[];
}

/** A source of a file: of a type of which sources can be made. */
export interface DeclaredSource extends SourceDeclaration {
  readonly type: SourceType;
}

export interface SinkDeclaration {
  readonly sinkId: string;
  readonly name: string;
  readonly description: string;
  /** Disabled itself; one that only waits with its source is not. */
  readonly disabled: boolean;
  readonly tableId: string;
  /** In the order of `signals`; empty: all. */
  readonly allowedSignals: readonly Signal[];
  readonly columns: readonly Column[];
  /** Only a file has them: columns of the table that get another name, as long as it has them under the old one. */
  readonly renamed?: readonly ColumnRename[];
  readonly settings: SettingOverrides;
}

/** Names a source, or with `sinkId` a sink, within the branch of a command. */
export interface SourceRef {
  readonly sourceId: string;
  readonly sinkId?: string;
}

export type ObjectRef = SourceRef | ConfigurationRef;

/** `source shop`, `sink shop/orders`, `configuration variables/cities`, `row variables/cities/brno`, `schedule generic-extractor/shop`. */
export function nameOfObject(object: ObjectRef): string {
  if ('componentId' in object) {
    const { componentId, configurationId, rowId, part } = object;
    if (rowId !== undefined) return `row ${componentId}/${configurationId}/${rowId}`;
    return `${part ?? 'configuration'} ${componentId}/${configurationId}`;
  }
  const { sourceId, sinkId } = object;
  return sinkId === undefined ? `source ${sourceId}` : `sink ${sourceId}/${sinkId}`;
}
