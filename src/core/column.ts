interface ColumnBase {
  /** Unique within the mapping. */
  readonly name: string;
}

export interface PathColumn extends ColumnBase {
  readonly type: 'path';
  readonly path: string;
  readonly rawString: boolean;
  /** Used only when the path does not exist. */
  readonly defaultValue?: string;
}

export interface TemplateColumn extends ColumnBase {
  readonly type: 'template';
  readonly rawString: boolean;
  readonly template: { readonly language: 'jsonnet'; readonly content: string };
}

export interface PlainColumn extends ColumnBase {
  readonly type: 'uuid' | 'datetime' | 'ip' | 'body' | 'headers';
}

/** One cell's rule. */
export type Column = PlainColumn | PathColumn | TemplateColumn;

export const columnTypes = ['uuid', 'datetime', 'ip', 'body', 'headers', 'path', 'template'] as const;
