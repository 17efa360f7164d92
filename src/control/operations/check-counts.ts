import type { BranchId, SourceKey } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { MillraceError } from '../../core/millrace-error.ts';

/** Operations that add an object; those that run count as if they had. */
const adding = ['create', 'undelete'] as const;

/** Refuses one more source in a branch that has as many as it may have. Reads none of them: each creation would read all that are there. */
export async function checkSourceCount(
  { definitions, tasks, maxSources }: Pick<Parts, 'definitions' | 'maxSources' | 'tasks'>,
  branch: BranchId,
  options: Waiting,
): Promise<void> {
  const index = await definitions.sourcesIn(branch, options);
  const running = adding.flatMap((operation) => tasks.running(`api.${operation}.source`));
  const coming = running.filter(({ branchId, sourceId }) => branchId === branch && !index.has(sourceId, 'there'));
  const count = index.count('there') + new Set(coming.map(({ sourceId }) => sourceId)).size;
  if (count < maxSources) return;
  const message = `source count limit reached: the branch has ${count} sources, the maximum is ${maxSources} (MILLRACE_MAX_SOURCES)`;
  throw new MillraceError('source.tooMany', message);
}

/** Refuses one more sink in a source that has as many as it may have. */
export async function checkSinkCount(
  { definitions, tasks }: Pick<Parts, 'definitions' | 'tasks'>,
  key: SourceKey,
  options: Waiting,
): Promise<void> {
  const ids = new Set<string>((await definitions.sinks(key, options)).map(({ sinkId }) => sinkId));
  for (const { branchId, sourceId, sinkId } of adding.flatMap((operation) => tasks.running(`api.${operation}.sink`)))
    if (branchId === key.branchId && sourceId === key.sourceId && sinkId !== undefined) ids.add(sinkId);
  if (ids.size >= limits.sinksPerSource) throw tooManySinks(ids.size);
}

/** The refusal of a sink past the limit. */
export function tooManySinks(count: number): MillraceError {
  const message = `sink count limit reached: the source has ${count} sinks, the maximum is ${limits.sinksPerSource}`;
  return new MillraceError('sink.tooMany', message);
}
