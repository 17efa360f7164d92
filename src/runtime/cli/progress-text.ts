import { printable } from './printable.ts';
import { tableText, type Cell } from './print.ts';
import type { PartitionShape, ProgressShape } from './progress-shape.ts';

const counted = [
  ['accepted', 'accepted'],
  ['rows', 'rows'],
  ['staged', 'staged'],
  ['inFlight', 'in flight'],
  ['dead', 'dead'],
  ['filtered', 'filtered'],
  ['holes', 'holes'],
  ['givenUp', 'given up'],
  ['none', 'none'],
  ['difference', 'missing'],
] as const satisfies readonly (readonly [keyof PartitionShape, string])[];

/** A line a sink, summed over its partitions; below it, why a sink does not get on. */
export function progressText(sinks: readonly ProgressShape[], human: boolean): string {
  if (sinks.length === 0 && human)
    return 'There are no sinks yet. Make one with: millrace sink create SOURCE NAME --table TABLE';
  const rows = sinks.map(({ sourceId, sinkId, partitions, lastImport }): readonly Cell[] => [
    `${sourceId}/${sinkId}`,
    ...counted.map(([field]) => partitions.reduce((sum, partition) => sum + partition[field], 0)),
    lastImport?.at ?? '–',
  ]);
  const head = ['sink', ...counted.map(([, name]) => name), 'last import'];
  return [tableText({ head, rows, empty: '' }, human), ...sinks.flatMap(alarmLines)].join('\n');
}

function alarmLines({ sourceId, sinkId, alarms }: ProgressShape): readonly string[] {
  return (alarms ?? []).map(
    ({ role, code, message, since, nextTryAt }) =>
      `${sourceId}/${sinkId}: ${role} stopped since ${since} (${code}): ${printable(message)} Next try ${nextTryAt}.`,
  );
}
