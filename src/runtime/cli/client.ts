import type { PreviewShape, SettingShape, SinkShape, SourceShape, TableShape, TaskShape } from './api-shapes.ts';
import type { ProgressShape } from './progress-shape.ts';
import type { ApiRequest, Transport } from './transport.ts';

/** Names a source, or with `sinkId` a sink, as a person typed it. */
export interface SourceName {
  readonly branch: string;
  readonly sourceId: string;
}

export interface SinkName extends SourceName {
  readonly sinkId: string;
}

export type ObjectName = SourceName | SinkName;
export type Switch = 'enable' | 'disable';

/** The admin API, a method an operation. Operations with a task resolve when the task has ended. Errors: see `Transport`. */
export class AdminClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async listSources(branch: string): Promise<readonly SourceShape[]> {
    return this.#pages<SourceShape>(sourcesPath(branch), 'sources');
  }

  async listSinks(source: SourceName): Promise<readonly SinkShape[]> {
    return this.#pages<SinkShape>(`${objectPath(source)}/sinks`, 'sinks');
  }

  async getSource(source: SourceName): Promise<SourceShape> {
    return this.#transport.json({ path: objectPath(source) });
  }

  async getSink(sink: SinkName): Promise<SinkShape> {
    return this.#transport.json({ path: objectPath(sink) });
  }

  async createSource(branch: string, body: object): Promise<SourceShape> {
    const { outputs } = await this.#transport.task({ method: 'POST', path: sourcesPath(branch), body });
    return this.getSource({ branch, sourceId: outputs?.sourceId ?? '' });
  }

  async createSink(source: SourceName, body: object): Promise<SinkShape> {
    const request: ApiRequest = { method: 'POST', path: `${objectPath(source)}/sinks`, body };
    const { outputs } = await this.#transport.task(request);
    return this.getSink({ ...source, sinkId: outputs?.sinkId ?? '' });
  }

  async update(name: ObjectName, body: object): Promise<TaskShape> {
    return this.#transport.task({ method: 'PATCH', path: objectPath(name), body });
  }

  async remove(name: ObjectName): Promise<TaskShape> {
    return this.#transport.task({ method: 'DELETE', path: objectPath(name) });
  }

  async turn(name: ObjectName, direction: Switch): Promise<TaskShape> {
    return this.#transport.task({ method: 'PUT', path: `${objectPath(name)}/${direction}` });
  }

  async settings(name: ObjectName): Promise<readonly SettingShape[]> {
    return (await this.#transport.json<SettingsAnswer>({ path: `${objectPath(name)}/settings` })).settings;
  }

  async changeSettings(name: ObjectName, settings: readonly SettingChange[]): Promise<readonly SettingShape[]> {
    const request: ApiRequest = { method: 'PATCH', path: `${objectPath(name)}/settings`, body: { settings } };
    return (await this.#transport.json<SettingsAnswer>(request)).settings;
  }

  async progress(sink: SinkName): Promise<ProgressShape> {
    return this.#transport.json({ path: `${objectPath(sink)}/progress` });
  }

  /** Resolves when everything accepted before the call is in the table. */
  async flush(sink: SinkName): Promise<TaskShape> {
    return this.#transport.task({ method: 'POST', path: `${objectPath(sink)}/flush` });
  }

  async listTables(): Promise<readonly TableShape[]> {
    return this.#transport.json({ path: '/v2/storage/tables' });
  }

  async getTable(tableId: string): Promise<TableShape> {
    return this.#transport.json({ path: tablePath(tableId) });
  }

  /** The first rows; with `select` only these columns, separated by commas. */
  async previewTable(tableId: string, { limit, select }: PreviewRequest): Promise<PreviewShape> {
    return this.#transport.json({
      path: `${tablePath(tableId)}/data-preview`,
      query: { format: 'json', limit: String(limit), columns: select },
    });
  }

  /** The whole table as a stream of bytes. */
  async exportTable(tableId: string, format: string): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#transport.send({ path: `${tablePath(tableId)}/export`, query: { format } });
    return body ?? new ReadableStream({ start: (controller) => controller.close() });
  }

  async #pages<Item>(path: string, key: 'sources' | 'sinks'): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (let afterId: string | undefined; afterId !== '';) {
      const page = await this.#transport.json<Page<Item>>({ path, query: { afterId } });
      const found = page[key] ?? [];
      items.push(...found);
      afterId = found.length < page.page.limit ? '' : page.page.lastId;
    }
    return items;
  }
}

export interface PreviewRequest {
  readonly limit: number;
  readonly select?: string;
}

export interface SettingChange {
  readonly key: string;
  /** Null takes the override away. */
  readonly value: string | number | boolean | readonly string[] | null;
}

interface SettingsAnswer {
  readonly settings: readonly SettingShape[];
}

interface Page<Item> {
  readonly page: { readonly limit: number; readonly lastId: string };
  readonly sources?: readonly Item[];
  readonly sinks?: readonly Item[];
}

function sourcesPath(branch: string): string {
  return `/v1/branches/${encodeURIComponent(branch)}/sources`;
}

function objectPath(name: ObjectName): string {
  const source = `${sourcesPath(name.branch)}/${encodeURIComponent(name.sourceId)}`;
  return 'sinkId' in name ? `${source}/sinks/${encodeURIComponent(name.sinkId)}` : source;
}

function tablePath(tableId: string): string {
  return `/v2/storage/tables/${encodeURIComponent(tableId)}`;
}
