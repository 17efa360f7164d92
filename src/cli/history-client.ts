import { allPages } from './all-pages.ts';
import type {
  FileShape,
  ImportShape,
  SinkVersionShape,
  SourceVersionShape,
  StatisticsShape,
  TaskShape,
  VersionShape,
} from './api-shapes.ts';
import { isSink, sinkPath, sourcePath, type ObjectName, type SinkName, type SourceName } from './object-name.ts';
import type { Transport } from './transport.ts';

const source = '/v1/branches/{branchId}/sources/{sourceId}';
const sink = `${source}/sinks/{sinkId}` as const;

/** What the admin API tells of the past of sources and sinks: versions, imports, statistics. Errors: see `Transport`. */
export class HistoryClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Ascending by number. */
  async versions(name: ObjectName): Promise<readonly VersionShape[]> {
    return allPages(async (after) => {
      const query = after === undefined ? {} : { afterId: Number(after) };
      const { page, versions: items } = await this.#transport.ask((api) =>
        isSink(name)
          ? api.GET(`${sink}/versions`, { params: { path: sinkPath(name), query } })
          : api.GET(`${source}/versions`, { params: { path: sourcePath(name), query } }),
      );
      return { page, items };
    });
  }

  async sourceVersion(name: SourceName, versionNumber: number): Promise<SourceVersionShape> {
    const params = { path: { ...sourcePath(name), versionNumber } };
    return this.#transport.ask((api) => api.GET(`${source}/versions/{versionNumber}`, { params }));
  }

  async sinkVersion(name: SinkName, versionNumber: number): Promise<SinkVersionShape> {
    const params = { path: { ...sinkPath(name), versionNumber } };
    return this.#transport.ask((api) => api.GET(`${sink}/versions/{versionNumber}`, { params }));
  }

  /** Makes a new version that is like the one with this number. */
  async rollback(name: ObjectName, versionNumber: number): Promise<TaskShape> {
    const rollback = 'versions/{versionNumber}/rollback';
    return this.#transport.task((api) =>
      isSink(name)
        ? api.PUT(`${sink}/${rollback}`, { params: { path: { ...sinkPath(name), versionNumber } } })
        : api.PUT(`${source}/${rollback}`, { params: { path: { ...sourcePath(name), versionNumber } } }),
    );
  }

  async statistics(name: SinkName): Promise<StatisticsShape> {
    return this.#transport.ask((api) => api.GET(`${sink}/statistics/total`, { params: { path: sinkPath(name) } }));
  }

  /** Of a source: of all of its sinks. */
  async clearStatistics(name: ObjectName): Promise<void> {
    await this.#transport.ask((api) =>
      isSink(name)
        ? api.DELETE(`${sink}/statistics/clear`, { params: { path: sinkPath(name) } })
        : api.DELETE(`${source}/statistics/clear`, { params: { path: sourcePath(name) } }),
    );
  }

  /** What was imported together and what waits for it; with `failed` only what is tried again. */
  async files(name: SinkName, { failed }: { readonly failed: boolean }): Promise<readonly FileShape[]> {
    const params = { path: sinkPath(name), query: failed ? ({ failedFiles: 'true' } as const) : {} };
    const { files } = await this.#transport.ask((api) => api.GET(`${sink}/statistics/files`, { params }));
    return files;
  }

  /** The newest first, so many at most. */
  async imports(name: SinkName, limit: number): Promise<readonly ImportShape[]> {
    const params = { path: sinkPath(name), query: { limit } };
    const { imports } = await this.#transport.ask((api) => api.GET(`${sink}/imports`, { params }));
    return imports;
  }
}
