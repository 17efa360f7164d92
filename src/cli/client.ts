import { given, type Given, type Schemas } from '../client/api-client.ts';
import type {
  AuditEntryShape,
  DependentsShape,
  EventsShape,
  IssuedTokenShape,
  PreviewShape,
  RankedBy,
  RankingShape,
  SettingShape,
  SinkShape,
  SourceShape,
  TableShape,
  TaskShape,
  TokenShape,
} from './api-shapes.ts';
import { allPages } from './all-pages.ts';
import { BackupClient } from './backup/backup-client.ts';
import { BucketClient } from './bucket/bucket-client.ts';
import { ConfigClient } from './config/config-client.ts';
import { FileClient } from './file/file-client.ts';
import { LetterClient } from './dead-letters/letter-client.ts';
import { HistoryClient } from './history-client.ts';
import { JobClient } from './job/job-client.ts';
import { isSink, sinkPath, sourcePath, type ObjectName, type SinkName, type SourceName } from './object-name.ts';
import type { ProgressShape } from './progress-shape.ts';
import { ReportClient } from './report/report-client.ts';
import { TraceClient } from './trace/trace-client.ts';
import type { Transport } from './transport.ts';
import { VaultClient } from './vault/vault-client.ts';

export type Switch = 'enable' | 'disable';
export type ExportFormat = 'csv' | 'ndjson' | 'parquet';

const sources = '/v1/branches/{branchId}/sources';
const source = `${sources}/{sourceId}` as const;
const sinks = `${source}/sinks` as const;
const sink = `${sinks}/{sinkId}` as const;
const tables = '/v2/storage/tables';
const table = `${tables}/{tableId}` as const;
const newTable = '/v2/storage/buckets/{bucketId}/tables-definition';
const tokens = '/v2/storage/tokens';
const token = `${tokens}/{tokenId}` as const;

/** The admin API, a method an operation. Operations with a task resolve when the task has ended. Errors: see `Transport`. */
export class AdminClient {
  readonly backups: BackupClient;
  readonly buckets: BucketClient;
  readonly configs: ConfigClient;
  readonly files: FileClient;
  readonly history: HistoryClient;
  readonly letters: LetterClient;
  readonly vault: VaultClient;
  readonly jobs: JobClient;
  readonly reports: ReportClient;
  readonly traces: TraceClient;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.backups = new BackupClient(transport);
    this.buckets = new BucketClient(transport);
    this.configs = new ConfigClient(transport);
    this.files = new FileClient(transport);
    this.history = new HistoryClient(transport);
    this.letters = new LetterClient(transport);
    this.vault = new VaultClient(transport);
    this.jobs = new JobClient(transport);
    this.reports = new ReportClient(transport);
    this.traces = new TraceClient(transport);
  }

  async listSources(branchId: string): Promise<readonly SourceShape[]> {
    return this.#sources(sources, branchId);
  }

  /** Those that can be undeleted. */
  async listDeletedSources(branchId: string): Promise<readonly SourceShape[]> {
    return this.#sources(`${sources}/deleted`, branchId);
  }

  async listSinks(name: SourceName): Promise<readonly SinkShape[]> {
    return this.#sinks(sinks, name);
  }

  /** Those that can be undeleted. */
  async listDeletedSinks(name: SourceName): Promise<readonly SinkShape[]> {
    return this.#sinks(`${sinks}/deleted`, name);
  }

  async getSource(name: SourceName): Promise<SourceShape> {
    return this.#transport.ask((api) => api.GET(source, { params: { path: sourcePath(name) } }));
  }

  async getSink(name: SinkName): Promise<SinkShape> {
    return this.#transport.ask((api) => api.GET(sink, { params: { path: sinkPath(name) } }));
  }

  /** The last events of a source, or with a position those behind it. */
  async listEvents(
    name: SourceName,
    query: { readonly limit: number; readonly position?: string },
  ): Promise<EventsShape> {
    return this.#transport.ask((api) => api.GET(`${source}/events`, { params: { path: sourcePath(name), query } }));
  }

  async createSource(branch: string, body: Given<Schemas['CreateSourceBody']>): Promise<SourceShape> {
    const options = { params: { path: { branchId: branch } }, body: given<Schemas['CreateSourceBody']>(body) };
    const { outputs } = await this.#transport.task((api) => api.POST(sources, options));
    return this.getSource({ branch, sourceId: outputs?.sourceId ?? '' });
  }

  async createSink(name: SourceName, body: Given<Schemas['CreateSinkBody']>): Promise<SinkShape> {
    const options = { params: { path: sourcePath(name) }, body: given<Schemas['CreateSinkBody']>(body) };
    const { outputs } = await this.#transport.task((api) => api.POST(sinks, options));
    return this.getSink({ ...name, sinkId: outputs?.sinkId ?? '' });
  }

  /** Changes what `body` names; the fields of a source and of a sink differ, and the API says so. */
  async update(name: ObjectName, body: SourceChange | SinkChange): Promise<TaskShape> {
    return this.#transport.task((api) =>
      isSink(name)
        ? api.PATCH(sink, { params: { path: sinkPath(name) }, body: body as Schemas['UpdateSinkBody'] })
        : api.PATCH(source, { params: { path: sourcePath(name) }, body: body as Schemas['UpdateSourceBody'] }),
    );
  }

  async remove(name: ObjectName): Promise<TaskShape> {
    return this.#transport.task((api) =>
      isSink(name)
        ? api.DELETE(sink, { params: { path: sinkPath(name) } })
        : api.DELETE(source, { params: { path: sourcePath(name) } }),
    );
  }

  /** Deletes a source for good, with its versions and the tables of its sinks. */
  async removeForGood(name: SourceName): Promise<TaskShape> {
    const params = { path: sourcePath(name), query: { cascade: 'true' } } as const;
    return this.#transport.task((api) => api.DELETE(source, { params }));
  }

  async undelete(name: ObjectName): Promise<TaskShape> {
    return this.#transport.task((api) =>
      isSink(name)
        ? api.PUT(`${sink}/undelete`, { params: { path: sinkPath(name) } })
        : api.PUT(`${source}/undelete`, { params: { path: sourcePath(name) } }),
    );
  }

  /** The source with its new secret; the one before stays valid for the overlap, if any. */
  async rotateSecret(name: SourceName, overlap: string | undefined): Promise<SourceShape> {
    const params = { path: sourcePath(name), query: overlap === undefined ? {} : { overlap } };
    return this.#transport.ask((api) => api.POST(`${source}/rotate-secret`, { params }));
  }

  async turn(name: ObjectName, direction: Switch): Promise<TaskShape> {
    return this.#transport.task((api) =>
      isSink(name)
        ? api.PUT(`${sink}/${direction}`, { params: { path: sinkPath(name) } })
        : api.PUT(`${source}/${direction}`, { params: { path: sourcePath(name) } }),
    );
  }

  async settings(name: ObjectName): Promise<readonly SettingShape[]> {
    const { settings } = await this.#transport.ask((api) =>
      isSink(name)
        ? api.GET(`${sink}/settings`, { params: { path: sinkPath(name) } })
        : api.GET(`${source}/settings`, { params: { path: sourcePath(name) } }),
    );
    return settings;
  }

  async changeSettings(name: ObjectName, changes: readonly SettingChange[]): Promise<readonly SettingShape[]> {
    const body = { settings: [...changes] };
    const { settings } = await this.#transport.ask((api) =>
      isSink(name)
        ? api.PATCH(`${sink}/settings`, { params: { path: sinkPath(name) }, body })
        : api.PATCH(`${source}/settings`, { params: { path: sourcePath(name) }, body }),
    );
    return settings;
  }

  async progress(name: SinkName): Promise<ProgressShape> {
    return this.#transport.ask((api) => api.GET(`${sink}/progress`, { params: { path: sinkPath(name) } }));
  }

  /** Sinks of a branch with most of this, most first. */
  async ranking(branchId: string, query: { readonly by: RankedBy; readonly limit: number }): Promise<RankingShape> {
    const params = { path: { branchId }, query };
    return this.#transport.ask((api) => api.GET('/v1/branches/{branchId}/ranking', { params }));
  }

  /** Resolves when everything accepted before the call is in the table. */
  async flush(name: SinkName): Promise<TaskShape> {
    return this.#transport.task((api) => api.POST(`${sink}/flush`, { params: { path: sinkPath(name) } }));
  }

  async listTables(): Promise<readonly TableShape[]> {
    return this.#transport.ask((api) => api.GET(tables));
  }

  async getTable(tableId: string): Promise<TableShape> {
    return this.#transport.ask((api) => api.GET(table, { params: { path: { tableId } } }));
  }

  /** An empty table, as it was made. */
  async createTable(bucketId: string, { name, columns, primaryKey }: TableToCreate): Promise<TableShape> {
    const body = { name, columns: columns.map((column) => ({ name: column })), primaryKeysNames: [...primaryKey] };
    return this.#transport.ask((api) => api.POST(newTable, { params: { path: { bucketId } }, body }));
  }

  /** The table with a column more. */
  async addColumn(tableId: string, name: string): Promise<TableShape> {
    return this.#transport.ask((api) =>
      api.POST(`${table}/columns`, { params: { path: { tableId } }, body: { name } }),
    );
  }

  async dropColumn(tableId: string, columnName: string): Promise<void> {
    const params = { path: { tableId, columnName } };
    await this.#transport.ask(async (api) => {
      const answer = await api.DELETE(`${table}/columns/{columnName}`, { params });
      return answer.response.ok ? { response: answer.response, data: true } : answer;
    });
  }

  /** Sinks, waiting rows and tokens that depend on a table. */
  async listDependents(tableId: string): Promise<DependentsShape> {
    return this.#transport.ask((api) => api.GET(`${table}/dependents`, { params: { path: { tableId } } }));
  }

  /** Deletes a table, or only its rows; with `force` whatever depends on it. */
  async removeTable(tableId: string, { what, force }: TableRemoval): Promise<void> {
    const params = { path: { tableId }, query: force ? ({ force: 'true' } as const) : {} };
    await this.#transport.ask(async (api) => {
      const answer = await (what === 'rows' ? api.DELETE(`${table}/rows`, { params }) : api.DELETE(table, { params }));
      return answer.response.ok ? { response: answer.response, data: true } : answer;
    });
  }

  /** The table under its new name, in the same bucket. */
  async renameTable(tableId: string, name: string): Promise<TableShape> {
    return this.#transport.ask((api) => api.POST(`${table}/rename`, { params: { path: { tableId } }, body: { name } }));
  }

  /** The first rows, or the last ones; with `select` only these columns, separated by commas. */
  async previewTable(
    tableId: string,
    { limit, select, tail = false, where = new Map() }: PreviewRequest,
  ): Promise<PreviewShape> {
    const query = {
      format: 'json',
      limit,
      ...(select === undefined ? {} : { columns: select }),
      ...(tail ? ({ last: 'true' } as const) : {}),
      ...(where.size === 0 ? {} : { where: JSON.stringify(Object.fromEntries(where)) }),
    } as const;
    return this.#transport.ask((api) =>
      api.GET(`${table}/data-preview`, {
        params: { path: { tableId }, query },
        headers: { Accept: 'application/json' },
      }),
    );
  }

  /** The whole table as a stream of bytes. */
  async exportTable(tableId: string, format: ExportFormat): Promise<ReadableStream<Uint8Array>> {
    const params = { path: { tableId }, query: { format } };
    return this.#transport.ask(async (api) => {
      const { data, ...rest } = await api.GET(`${table}/export`, { params, parseAs: 'stream' });
      return rest.response.ok ? { ...rest, data: data ?? nothing() } : rest;
    });
  }

  async listTokens(): Promise<readonly TokenShape[]> {
    return this.#transport.ask((api) => api.GET(tokens));
  }

  /** The token with its text, which nobody can be told again. */
  async createToken(body: Given<Schemas['CreateTokenBody']>): Promise<IssuedTokenShape> {
    const options = { body: given<Schemas['CreateTokenBody']>(body) };
    return this.#transport.ask((api) => api.POST(tokens, options));
  }

  async refreshToken(tokenId: string): Promise<IssuedTokenShape> {
    return this.#transport.ask((api) => api.POST(`${token}/refresh`, { params: { path: { tokenId } } }));
  }

  async deleteToken(tokenId: string): Promise<void> {
    await this.#transport.ask(async (api) => {
      const answer = await api.DELETE(token, { params: { path: { tokenId } } });
      return answer.response.ok ? { response: answer.response, data: true } : answer;
    });
  }

  /** The newest entries of the audit trail that fit. */
  async listAudit(branchId: string, filter: Given<AuditFilter>): Promise<readonly AuditEntryShape[]> {
    const params = { path: { branchId }, query: given<AuditFilter>(filter) };
    const { entries } = await this.#transport.ask((api) => api.GET('/v1/branches/{branchId}/audit', { params }));
    return entries;
  }

  async #sources(
    path: typeof sources | `${typeof sources}/deleted`,
    branchId: string,
  ): Promise<readonly SourceShape[]> {
    return allPages(async (afterId) => {
      const params = { path: { branchId }, query: afterId === undefined ? {} : { afterId } };
      const { page, sources: items } = await this.#transport.ask((api) => api.GET(path, { params }));
      return { page, items };
    });
  }

  async #sinks(path: typeof sinks | `${typeof sinks}/deleted`, name: SourceName): Promise<readonly SinkShape[]> {
    return allPages(async (afterId) => {
      const params = { path: sourcePath(name), query: afterId === undefined ? {} : { afterId } };
      const { page, sinks: items } = await this.#transport.ask((api) => api.GET(path, { params }));
      return { page, items };
    });
  }
}

export interface AuditFilter {
  readonly sourceId?: string;
  readonly sinkId?: string;
  readonly operation?: string;
  readonly by?: string;
  readonly limit?: number;
}

export type SourceChange = Given<Schemas['UpdateSourceBody']>;
export type SinkChange = Given<Schemas['UpdateSinkBody']>;

export interface TableToCreate {
  readonly name: string;
  readonly columns: readonly string[];
  readonly primaryKey: readonly string[];
}

export interface TableRemoval {
  readonly what: 'table' | 'rows';
  readonly force: boolean;
}

export interface PreviewRequest {
  readonly limit: number;
  readonly select?: string;
  /** The last rows instead of the first. */
  readonly tail?: boolean;
  /** Only rows with these cells, by the names of their columns. */
  readonly where?: ReadonlyMap<string, string>;
}

export interface SettingChange {
  readonly key: string;
  /** Null takes the override away. */
  readonly value: string | number | boolean | readonly string[] | null;
}

function nothing(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}
