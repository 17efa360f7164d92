import type { SourceType } from '../../src/core/source.ts';
import { Api } from './api.ts';

/** Where a sink's numbers stand (D4), as the API tells them. */
export interface Numbers {
  readonly accepted: number;
  readonly imported: number;
  readonly dead: number;
  readonly filtered: number;
  readonly holes: number;
  readonly none: number;
  readonly givenUp: number;
  readonly staged: number;
  readonly inFlight: number;
  readonly difference: number;
}

export interface SinkProgressAnswer {
  readonly incarnation: number;
  readonly takesEvents: boolean;
  readonly delivered: boolean;
  readonly alarm?: string;
  readonly totals: Numbers;
  readonly staged: { readonly slices: number; readonly rows: number; readonly nextImportAt?: string };
  readonly parked?: { readonly slices: number; readonly rows: number; readonly since: string };
  readonly partitions: readonly { readonly open?: { readonly triggers?: unknown } }[];
  readonly errors: readonly {
    readonly role: string;
    readonly code: string;
    readonly message: string;
    readonly since: string;
    readonly lastTryAt: string;
    readonly nextTryAt: string;
    readonly attempts: number;
  }[];
}

export type Column = { readonly type: string; readonly name: string; readonly [field: string]: unknown };

/** Number of the event, and its id. */
export const numberColumns: readonly Column[] = [
  { type: 'uuid', name: 'id' },
  { type: 'path', name: 'n', path: 'n' },
];

/** Settings by the part of their key that differs. */
export const triggers = {
  uploadCount: 'storage.level.staging.upload.trigger.count',
  uploadInterval: 'storage.level.staging.upload.trigger.interval',
  importCount: 'storage.level.target.import.trigger.count',
  importInterval: 'storage.level.target.import.trigger.interval',
  syncWait: 'storage.level.local.encoding.sync.wait',
} as const;

export interface SinkSpec {
  readonly sinkId: string;
  readonly tableId: string;
  readonly columns?: readonly Column[];
  readonly backfill?: 'latest' | 'earliest';
}

/** One source of a running product, driven over the API as a person would. */
export class Shop {
  readonly api: Api;
  readonly path: string;
  readonly #sourceId: string;

  constructor(admin: { readonly url: string; readonly token: string }, sourceId = 'shop') {
    this.api = new Api(admin.url, admin.token);
    this.#sourceId = sourceId;
    this.path = `/v1/branches/default/sources/${sourceId}`;
  }

  /** Makes the source with sinks whose triggers are small, so that slices and imports follow each other quickly. */
  async create(
    sinks: readonly SinkSpec[] = [],
    settings: Partial<Record<keyof typeof triggers, unknown>> = {},
    type: SourceType = 'http',
  ): Promise<void> {
    await this.api.task('POST', '/v1/branches/default/sources', {
      type,
      name: this.#sourceId,
      sourceId: this.#sourceId,
      sinks: sinks.map(sinkBody),
    });
    await this.set(this.path, { uploadCount: 50, uploadInterval: '1s', importCount: 1, ...settings });
  }

  createSink(sink: SinkSpec): Promise<Record<string, unknown>> {
    return this.api.task('POST', `${this.path}/sinks`, sinkBody(sink));
  }

  /** Changes settings of a source or a sink by their short names. */
  async set(path: string, settings: Partial<Record<keyof typeof triggers, unknown>>): Promise<void> {
    const list = Object.entries(settings).map(([name, value]) => ({
      key: triggers[name as keyof typeof triggers],
      value,
    }));
    await this.api.call('PATCH', `${path}/settings`, { settings: list });
  }

  sink(sinkId: string): string {
    return `${this.path}/sinks/${sinkId}`;
  }

  /** Address that senders post to. */
  async url(): Promise<string> {
    return (await this.api.call<{ http: { url: string } }>('GET', this.path)).http.url;
  }

  progress(sinkId: string): Promise<SinkProgressAnswer> {
    return this.api.call<SinkProgressAnswer>('GET', `${this.sink(sinkId)}/progress`);
  }

  flush(sinkId: string): Promise<Record<string, unknown>> {
    return this.api.task('POST', `${this.sink(sinkId)}/flush`);
  }

  /** Numbers of the events in a table, sorted, repeats and all. */
  async numbersIn(tableId: string): Promise<readonly number[]> {
    return (await this.api.rows(tableId)).map((row) => Number(row['n'])).sort((a, b) => a - b);
  }
}

function sinkBody({ sinkId, tableId, columns = numberColumns, backfill }: SinkSpec): object {
  return {
    name: sinkId,
    sinkId,
    table: { tableId, mapping: { columns } },
    ...(backfill === undefined ? {} : { backfill }),
  };
}
