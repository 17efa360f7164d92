import type { SinkKey } from '../../core/ids.ts';
import type { TableDependents } from './table-dependents.ts';

/** What keeps a table from being changed. */
type InTheWay = Pick<TableDependents, 'sinks' | 'waiting'>;

/** What somebody can do about what stands in the way: sentences. */
export function adviceOn({ sinks, waiting }: InTheWay): string {
  const open = waiting.filter(({ isOpen }) => isOpen);
  const sentences = [
    ...(sinks.length === 0 ? [] : ['Let other sinks fill another table, or delete them']),
    ...(open.length === 0 ? [] : [`Flush what waits: ${open.map(({ key }) => `sink ${nameOf(key)}`).join(', ')}`]),
    ...(open.length === waiting.length ? [] : ['What a closed sink has left is delivered by itself: try again soon']),
  ];
  return sentences.join('. ');
}

/** The end of a sentence that says what stands in the way. */
export function dependentsText({ sinks, waiting }: InTheWay): string {
  const filling = sinks.map(({ key, state }) => `${state === 'active' ? '' : `${state} `}sink ${nameOf(key)}`);
  const rows = waiting.map(({ key, rows: count, isBehind }) =>
    count === 0 || isBehind
      ? `what sink ${nameOf(key)} has accepted for it is not in it yet`
      : `${count} ${count === 1 ? 'row' : 'rows'} of sink ${nameOf(key)} ${count === 1 ? 'waits' : 'wait'} for it`,
  );
  return [
    ...(filling.length === 0 ? [] : [`${filling.join(', ')} ${filling.length === 1 ? 'fills' : 'fill'} it`]),
    ...rows,
  ].join('; ');
}

function nameOf({ branchId, sourceId, sinkId }: SinkKey): string {
  return `${branchId === 1 ? '' : `${branchId}/`}${sourceId}/${sinkId}`;
}
