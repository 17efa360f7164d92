import type { Api } from '../../support/api.ts';

/** What the run works on: a source with three sinks that take everything and one that is switched. */
export const chaosShop = {
  path: '/v1/branches/default/sources/chaos',
  tables: ['in.c-chaos.first', 'in.c-chaos.second', 'in.c-chaos.third'],
  switched: { sinkId: 'switched', tableId: 'in.c-chaos.switched' },
  /** Bodies that change the mapping of the second sink: another cell, the same columns. */
  mappings: ['b', 'a'].map((path) => ({
    table: { type: 'keboola', tableId: 'in.c-chaos.second', mapping: mapping(path) },
  })),
} as const;

/** All sinks with their tables. */
export const sinksOfShop: readonly { readonly sinkId: string; readonly tableId: string }[] = [
  ...chaosShop.tables.map((tableId, index) => ({ sinkId: `sink-${index + 1}`, tableId })),
  chaosShop.switched,
];

export function sinkPath(sinkId: string): string {
  return `${chaosShop.path}/sinks/${sinkId}`;
}

function mapping(mark: string): object {
  const columns = [
    { type: 'uuid', name: 'id' },
    { type: 'path', name: 'n', path: 'n' },
    { type: 'path', name: 'text', path: 'text', rawString: true },
    { type: 'path', name: 'mark', path: mark, rawString: true },
  ];
  return { columns };
}

/** Makes the source and its sinks, with triggers so small that slices and imports are under way at any moment; answers the path to post to. */
export async function createChaosShop(api: Api): Promise<string> {
  await api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'Chaos', sourceId: 'chaos' });
  for (const [index, { sinkId, tableId }] of sinksOfShop.entries()) {
    const table = { type: 'keboola', tableId, mapping: mapping('a') };
    await api.task('POST', `${chaosShop.path}/sinks`, { name: sinkId, sinkId, table, type: 'table' });
    await api.call('PATCH', `${sinkPath(sinkId)}/settings`, {
      settings: [
        { key: 'storage.level.staging.upload.trigger.interval', value: '1s' },
        { key: 'storage.level.staging.upload.trigger.count', value: 50 * (index + 1) },
        { key: 'storage.level.target.import.trigger.count', value: 150 * (index + 1) },
      ],
    });
  }
  const { http } = await api.call<{ http: { url: string } }>('GET', chaosShop.path);
  return new URL(http.url).pathname;
}
