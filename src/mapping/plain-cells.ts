import type { Refusal } from '../core/dead-letter.ts';
import { limits } from '../core/limits.ts';
import { writeTextCell, type ColumnCell } from './column-cell.ts';
import { HeaderLayout } from './header-layout.ts';
import type { LineWriter } from './line-writer.ts';
import type { MappedEvent } from './mapped-event.ts';
import { holdsNul, invalidText, notUtf8, rowTooLarge } from './refusals.ts';
import { UtcText, utcTextBytes } from './utc-text.ts';

interface Named {
  readonly name: string;
}

/** Compile the columns whose value is a part of the event as it is, by their type. */
export const plainCells = {
  uuid: ({ name }: Named): ColumnCell => ({
    name,
    write: (event, writer) => (writer.writeText(event.id) ? undefined : rowTooLarge(name)),
  }),
  datetime: ({ name }: Named): ColumnCell => datetimeCell(name),
  ip: ({ name }: Named): ColumnCell => ({
    name,
    write: (event, writer) => writeTextCell(name, event.remoteAddress, writer),
  }),
  body: ({ name }: Named): ColumnCell => ({ name, write: (event, writer) => writeBody(name, event, writer) }),
  headers: ({ name }: Named): ColumnCell => headersCell(name),
} as const;

function datetimeCell(name: string): ColumnCell {
  const utc = new UtcText();
  return {
    name,
    write: (event, writer) => {
      const text = utc.bytes(event.arrivedAt);
      if (text === undefined) return invalidTime(name, event.arrivedAt);
      return writer.writeBytes(text, 0, utcTextBytes) ? undefined : rowTooLarge(name);
    },
  };
}

function headersCell(name: string): ColumnCell {
  const layout = new HeaderLayout();
  return {
    name,
    write: (event, writer) => {
      if (Math.max(event.headerLength, event.headers.length) > limits.rowBytes) return rowTooLarge(name);
      return writer.writeText(event.headersJson(layout)) ? undefined : rowTooLarge(name);
    },
  };
}

function invalidTime(column: string, arrivedAt: number): Refusal {
  return {
    reason: 'undecodable',
    column,
    message: `the timestamp ${arrivedAt} of the record is outside of the years 0000 to 9999`,
    place: '',
  };
}

function writeBody(column: string, event: MappedEvent, writer: LineWriter): Refusal | undefined {
  const { body } = event;
  if (!event.isBodyUtf8) return invalidText(column, notUtf8);
  if (body.includes(0)) return invalidText(column, holdsNul);
  return writer.writeBytes(body, 0, body.length) ? undefined : rowTooLarge(column);
}
