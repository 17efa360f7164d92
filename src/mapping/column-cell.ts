import type { Refusal } from '../core/dead-letter.ts';
import type { LineWriter } from './line-writer.ts';
import type { MappedEvent } from './mapped-event.ts';
import { invalidText, rowTooLarge, textFault } from './refusals.ts';

/** A compiled column: writes its cell into the line, or says why it cannot and leaves the line as it was. */
export interface ColumnCell {
  readonly name: string;
  write(event: MappedEvent, writer: LineWriter): Refusal | undefined;
  /** Gives back what the cell holds outside of itself. */
  release?(): void;
}

/** Writes a text as the cell of `column`, after a check that it can be one. */
export function writeTextCell(column: string, text: string, writer: LineWriter): Refusal | undefined {
  const fault = textFault(text);
  if (fault !== undefined) return invalidText(column, fault);
  return writer.writeText(text) ? undefined : rowTooLarge(column);
}
