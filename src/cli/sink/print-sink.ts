import type { SinkShape } from '../api-shapes.ts';
import { printFields, printJson } from '../print.ts';
import { stateOf } from '../state-of.ts';
import type { Terminal } from '../terminal.ts';
import { columnText } from './parse-column.ts';

/** One sink for a person or a program. */
export function printSink(terminal: Terminal, sink: SinkShape, json: boolean): void {
  if (json) return printJson(terminal, sink);
  const { sourceId, sinkId, name, description, table, allowedSignals, version, created } = sink;
  const columns = table.mapping.columns.map((column, index): readonly [string, string] => [
    `column ${index + 1}`,
    columnText(column),
  ]);
  return printFields(terminal, {
    sink: sinkId,
    source: sourceId,
    name,
    description: description === '' ? undefined : description,
    table: table.tableId,
    signals: allowedSignals?.join(', '),
    state: stateOf(sink),
    version: `${version.number} of ${version.at}: ${version.description}`,
    created: created.at,
    ...Object.fromEntries(columns),
  });
}
