import type { SourceType } from '../../core/source.ts';
import type { ColumnRename } from '../../core/column-change.ts';
import type { SettingChange } from '../client.ts';
import type { ConfigurationStep } from './configuration-step.ts';
import type { DeclaredSource, ObjectRef, SinkDeclaration, SourceRef } from './declaration.ts';
import type { FieldChange } from './field-change.ts';

/** What happens to one source or sink, or to one configuration, row or schedule. An `undeclared` one is in no file and stays as it is. */
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

/** One operation of the API on a source or a sink. */
export type SourceStep =
  | { readonly kind: 'createSource'; readonly object: SourceRef; readonly source: DeclaredSource }
  | { readonly kind: 'createSink'; readonly object: SourceRef; readonly sink: SinkDeclaration }
  | { readonly kind: 'updateSource'; readonly object: SourceRef; readonly fields: SourceFields }
  | { readonly kind: 'updateSink'; readonly object: SourceRef; readonly fields: SinkFields }
  | { readonly kind: 'settings'; readonly object: SourceRef; readonly settings: readonly SettingChange[] }
  | { readonly kind: 'enable' | 'disable' | 'delete'; readonly object: SourceRef };

export type Step = SourceStep | ConfigurationStep;

export interface Plan {
  /** Sources with their sinks below them, by id; then configurations with their rows and their schedule. */
  readonly objects: readonly ObjectPlan[];
  /** In this order. Empty when the installation is as the files say. */
  readonly steps: readonly Step[];
}
