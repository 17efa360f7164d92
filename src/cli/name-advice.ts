import type { ApiClient } from '../client/api-client.ts';
import { nearestOf } from '../core/nearest-of.ts';

/** Parts of the API whose objects have names that a person types, where the list of their names is, and what shows it. */
const named = [
  {
    path: /^\/v1\/branches\/(?<branchId>[^/]+)\/sources\/(?<sourceId>[^/]+)\/sinks\/(?<name>[^/]+)/,
    error: 'stream.api.sinkNotFound',
    lists: '"millrace sink list" lists the sinks.',
    list: async (api: ApiClient, { branchId = '', sourceId = '' }: Parts) => {
      const params = { path: { branchId, sourceId } };
      const { data } = await api.GET('/v1/branches/{branchId}/sources/{sourceId}/sinks', { params });
      return data?.sinks.map((sink) => sink.sinkId);
    },
  },
  {
    path: /^\/v1\/branches\/(?<branchId>[^/]+)\/sources\/(?<name>[^/]+)/,
    error: 'stream.api.sourceNotFound',
    lists: '"millrace source list" lists the sources.',
    list: async (api: ApiClient, { branchId = '' }: Parts) => {
      const { data } = await api.GET('/v1/branches/{branchId}/sources', { params: { path: { branchId } } });
      return data?.sources.map((source) => source.sourceId);
    },
  },
  {
    path: /^\/v2\/storage\/tables\/(?<name>[^/]+)/,
    lists: '"millrace table list" lists the tables.',
    list: async (api: ApiClient) => (await api.GET('/v2/storage/tables')).data?.map((table) => table.id),
  },
] as const;

type Parts = Readonly<Record<string, string>>;

/** For an address whose object was not found: the name of the one that was probably meant, or what lists those that there are. */
export async function nameAdvice(
  api: ApiClient,
  { url, error }: { readonly url: string; readonly error: string | undefined },
): Promise<string | undefined> {
  const { pathname } = new URL(url);
  for (const one of named) {
    const parts = one.path.exec(pathname)?.groups;
    if (parts === undefined || ('error' in one && one.error !== error)) continue;
    const decoded = Object.fromEntries(Object.entries(parts).map(([key, text]) => [key, decodeURIComponent(text)]));
    const names = await one.list(api, decoded).catch(() => undefined);
    const nearest = nearestOf(decoded['name'] ?? '', names ?? []);
    return nearest === undefined ? one.lists : `Did you mean "${nearest}"?`;
  }
  return undefined;
}
