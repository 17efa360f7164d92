import type { SourceType } from '../../core/source.ts';
import type { ColumnRename } from '../../core/column-change.ts';
import type { SettingChange } from '../client.ts';
import type { DeclaredSource, ObjectRef, SinkDeclaration } from './declaration.ts';
import type { FieldChange } from './field-change.ts';

/** What happens to one source or sink. An `undeclared` one is in no file and stays as it is. */
export interface ObjectPlan {
  readonly object: ObjectRef;
  readonly action: 'create' | 'change' | 'delete' | 'unchanged' | 'undeclared';
  readonly changes: readonly FieldChange[];
  /** What a person should know before saying yes. */
  readonly remarks: readonly string[];
  /** Why something of it cannot be done, and is left as it is. */
  readonly obstacle?: string;
}

/** Fields of an update; what is absent stays. */
interface SourceFields {
  readonly type?: SourceType;
  readonly name?: string;
  readonly description?: string;
}

export interface SinkFields {
  readonly name?: string;
  readonly description?: string;
  readonly allowedSignals?: SinkDeclaration['allowedSignals'];
  readonly tableId?: string;
  readonly columns?: SinkDeclaration['columns'];
  /** The table gets the columns. */
  readonly alter?: true;
  readonly renamed?: readonly ColumnRename[];
}

/** One operation of the API. */
export type Step =
  | { readonly kind: 'createSource'; readonly object: ObjectRef; readonly source: DeclaredSource }
  | { readonly kind: 'createSink'; readonly object: ObjectRef; readonly sink: SinkDeclaration }
  | { readonly kind: 'updateSource'; readonly object: ObjectRef; readonly fields: SourceFields }
  | { readonly kind: 'updateSink'; readonly object: ObjectRef; readonly fields: SinkFields }
  | { readonly kind: 'settings'; readonly object: ObjectRef; readonly settings: readonly SettingChange[] }
  | { readonly kind: 'enable' | 'disable' | 'delete'; readonly object: ObjectRef };

export interface Plan {
  /** Sources with their sinks below them, by id. */
  readonly objects: readonly ObjectPlan[];
  /** In this order. Empty when the installation is as the files say. */
  readonly steps: readonly Step[];
}
