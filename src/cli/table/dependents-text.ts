import type { DependentsShape } from '../api-shapes.ts';
import { printable } from '../printable.ts';

/** `1 row`, `12 000 rows`. */
export function rowsText(rows: number): string {
  return rows === 1 ? '1 row' : `${rows.toLocaleString('en-US').replaceAll(',', ' ')} rows`;
}

/** Who needs the table now: sinks that are not deleted, and rows that wait. */
export function isInUse({ sinks, waiting }: DependentsShape): boolean {
  return sinks.some(({ state }) => state !== 'deleted') || waiting.length > 0;
}

/** What depends on a table, a line each. */
export function dependentLines({ sinks, waiting, tokens }: DependentsShape): readonly string[] {
  return [
    ...sinks.map((sink) => `  ${sink.state === 'active' ? '' : `${sink.state} `}sink ${nameOf(sink)} fills it`),
    ...waiting.map((one) =>
      one.isBehind
        ? `  what sink ${nameOf(one)} has accepted for it is not in it yet`
        : `  ${rowsText(one.rows)} of sink ${nameOf(one)} ${one.rows === 1 ? 'waits' : 'wait'} for it`,
    ),
    ...tokens.map(({ id, description }) => `  token ${id} may write its bucket: ${printable(description)}`),
  ];
}

interface NamedSink {
  readonly branchId: number;
  readonly sourceId: string;
  readonly sinkId: string;
}

function nameOf({ branchId, sourceId, sinkId }: NamedSink): string {
  return printable(`${branchId === 1 ? '' : `${branchId}/`}${sourceId}/${sinkId}`);
}
