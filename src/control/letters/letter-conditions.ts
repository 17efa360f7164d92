import type { LetterQuery, LetterScope } from '../../core/dead-letter.ts';
import type { Incarnation, SinkKey, SourceKey } from '../../core/ids.ts';
import type { Sink } from '../../core/sink.ts';
import { filteredLetters } from '../../mapping/filtered-letters.ts';
import type { CellCondition } from '../../ports/table-pages.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';

/**
 * The conditions that hold for these rows of the dead letter table. A row does not name its branch, only the incarnation of its sink: what
 * is left of a sink that the catalog has forgotten belongs to every branch. `source.notFound`, `sink.notFound`; deleted ones are found.
 */
export async function letterConditions(
  parts: Pick<Parts, 'definitions'>,
  { scope, filter }: LetterQuery,
  options: Waiting,
): Promise<readonly CellCondition[]> {
  return [await scopeCondition(parts.definitions, scope, options), ...filteredLetters(filter)];
}

async function scopeCondition(
  definitions: Parts['definitions'],
  { branchId, sourceId, sinkId }: LetterScope,
  options: Waiting,
): Promise<CellCondition> {
  if (sourceId === undefined) {
    const others = (await definitions.allSinks(options)).filter((sink) => sink.branchId !== branchId);
    return { column: 'incarnation', values: await incarnationsOf(definitions, others, options), isNot: true };
  }
  const source: SourceKey = { branchId, sourceId };
  await definitions.knownSource(source, options);
  const sinks = await (sinkId === undefined
    ? sinksOf(definitions, source, options)
    : definitions.knownSink({ ...source, sinkId }, options).then((sink) => [sink]));
  return { column: 'incarnation', values: await incarnationsOf(definitions, sinks, options) };
}

async function sinksOf(
  definitions: Parts['definitions'],
  source: SourceKey,
  options: Waiting,
): Promise<readonly Sink[]> {
  return [...(await definitions.sinks(source, options)), ...(await definitions.deletedSinks(source, options))];
}

/** Those of now, and the earlier ones. */
async function incarnationsOf(
  definitions: Parts['definitions'],
  sinks: readonly Sink[],
  options: Waiting,
): Promise<readonly string[]> {
  const wanted = new Set(sinks.map(nameOf));
  const branches = new Set(sinks.map(({ branchId }) => branchId));
  const incarnations = new Set<Incarnation>(sinks.map(({ incarnation }) => incarnation));
  for (const branchId of branches)
    for (const { key, incarnation } of await definitions.earlierIn(branchId, options))
      if (wanted.has(nameOf(key))) incarnations.add(incarnation);
  return [...incarnations].map(String);
}

function nameOf({ branchId, sourceId, sinkId }: SinkKey): string {
  return `${branchId}/${sourceId}/${sinkId}`;
}
