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
  {
    path: /^\/v2\/storage\/buckets\/(?<name>[^/]+)$/,
    lists: '"millrace bucket list" lists the buckets.',
    list: async (api: ApiClient) => (await api.GET('/v2/storage/buckets')).data?.map((bucket) => bucket.id),
  },
] as const;

type Parts = Readonly<Record<string, string>>;

/** What helps where the name of another thing is wrong, or taken: by the error, and by what stands in the path. */
const advised = [
  {
    path: /\/sources\/[^/]+\/undelete$/,
    error: 'deletedSourceNotFound',
    text: '"millrace source list --deleted" lists them.',
  },
  {
    path: /\/sinks\/[^/]+\/undelete$/,
    error: 'deletedSinkNotFound',
    text: '"millrace sink list --deleted" lists them.',
  },
  {
    path: /\/sources\/(?<sourceId>[\w-]+)\/versions\//,
    error: 'sourceVersionNotFound',
    text: '"millrace source versions $<sourceId>" lists them.',
  },
  {
    path: /\/sources\/(?<sourceId>[\w-]+)\/sinks\/(?<sinkId>[\w-]+)\/versions\//,
    error: 'sinkVersionNotFound',
    text: '"millrace sink versions $<sourceId> $<sinkId>" lists them.',
  },
  {
    path: /\/sources$/,
    error: 'sourceAlreadyExists',
    text: '"millrace source list" lists the sources; --id gives another id.',
  },
  {
    path: /\/sinks$/,
    error: 'sinkAlreadyExists',
    text: '"millrace sink list" lists the sinks; --id gives another id.',
  },
  {
    path: /\/components\/[^/]+\/configs\/[^/]+\/restore$/,
    error: undefined,
    text: '"millrace config list --deleted" lists them.',
  },
  { path: /\/components\/[^/]+\/configs/, error: undefined, text: '"millrace config list" lists the configurations.' },
  { path: /\/vault\/variables\//, error: undefined, text: '"millrace vault list" lists the names.' },
  { path: /\/v2\/storage\/tokens\/[^/]+/, error: undefined, text: '"millrace token list" lists the tokens.' },
] as const;

/** All that is advised, with `$<part>` for the parts of the address. */
export const nameAdvices: readonly string[] = [...named.map((one) => one.lists), ...advised.map((one) => one.text)];

/**
 * For an address whose object was not found, or is there already: the name of the one that was probably meant, or what lists those that
 * there are.
 */
export async function nameAdvice(
  api: ApiClient,
  { url, error }: { readonly url: string; readonly error: string | undefined },
): Promise<string | undefined> {
  const { pathname } = new URL(url);
  const other = advised.find(
    (one) => one.path.test(pathname) && (one.error === undefined || error === `stream.api.${one.error}`),
  );
  if (other !== undefined) return pathname.match(other.path)?.[0].replace(other.path, other.text);
  for (const one of named) {
    const parts = one.path.exec(pathname)?.groups;
    if (parts === undefined || ('error' in one && one.error !== error)) continue;
    const decoded = Object.fromEntries(Object.entries(parts).map(([key, text]) => [key, decodeURIComponent(text)]));
    const names = await one.list(api, decoded).catch(() => undefined);
    // It is there: something else is wrong with it.
    if (names?.includes(decoded['name'] ?? '') === true) return undefined;
    const nearest = nearestOf(decoded['name'] ?? '', names ?? []);
    return nearest === undefined ? one.lists : `Did you mean "${nearest}"?`;
  }
  return undefined;
}
