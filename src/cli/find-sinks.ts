import type { AdminClient } from './client.ts';
import type { SinkName } from './object-name.ts';

export interface SinkSelection {
  readonly branch: string;
  readonly sourceId: string | undefined;
  readonly sinkId: string | undefined;
}

/** The sinks that a person means: one, all of a source, or all. */
export async function findSinks(client: AdminClient, selection: SinkSelection): Promise<readonly SinkName[]> {
  const { branch, sourceId, sinkId } = selection;
  if (sourceId !== undefined && sinkId !== undefined) return [{ branch, sourceId, sinkId }];
  const sourceIds =
    sourceId === undefined ? (await client.listSources(branch)).map((source) => source.sourceId) : [sourceId];
  const lists = await Promise.all(sourceIds.map((id) => client.listSinks({ branch, sourceId: id })));
  return lists.flat().map((sink) => ({ branch, sourceId: sink.sourceId, sinkId: sink.sinkId }));
}
