/** Shapes of the admin API as the commands read them; what a command does not read is not here, and is passed on as it came. */
export interface Stamp {
  readonly at: string;
}

export interface SourceShape {
  readonly projectId: number;
  readonly branchId: number;
  readonly sourceId: string;
  readonly type: 'http' | 'otlp';
  readonly name: string;
  readonly description: string;
  readonly http?: { readonly url: string };
  readonly otlp?: { readonly url: string; readonly baseUrl: string; readonly secret: string };
  readonly version: { readonly number: number; readonly description: string; readonly at: string };
  readonly created: Stamp;
  readonly disabled?: Stamp & { readonly reason: string };
}

export interface ColumnShape {
  readonly type: string;
  readonly name: string;
  readonly path?: string;
  readonly rawString?: boolean;
  readonly defaultValue?: string;
  readonly template?: { readonly language: 'jsonnet'; readonly content: string };
}

export interface SinkShape extends Omit<SourceShape, 'type' | 'http' | 'otlp'> {
  readonly sinkId: string;
  readonly allowedSignals?: readonly string[];
  readonly table: { readonly tableId: string; readonly mapping: { readonly columns: readonly ColumnShape[] } };
}

export interface TaskShape {
  readonly taskId: string;
  readonly url: string;
  readonly status: 'processing' | 'success' | 'error';
  readonly isFinished: boolean;
  readonly duration?: number;
  readonly result?: string;
  readonly error?: string;
  readonly outputs?: { readonly sourceId?: string; readonly sinkId?: string };
}

export interface SettingShape {
  readonly key: string;
  readonly type: string;
  readonly value: unknown;
  readonly defaultValue: unknown;
  readonly inheritedFrom?: string;
  readonly protected: boolean;
  readonly description: string;
}

export interface TableShape {
  readonly id: string;
  readonly columns?: readonly string[];
  readonly rowsCount?: number;
  readonly dataSizeBytes?: number;
}

export interface PreviewShape {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly {
    readonly columnName: string;
    readonly value: string;
    readonly isTruncated: boolean;
  }[])[];
}
