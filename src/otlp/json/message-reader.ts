import { OtlpFault } from '../otlp-fault.ts';
import { otlpLimits } from '../otlp-limits.ts';
import type { Place } from './place.ts';
import type { Column, Content, Table } from './table.ts';

/** Makes messages of parsed JSON, as the rules of proto3 and OTLP have it; unknown fields are left out. Throws an `OtlpFault`. */
export class MessageReader {
  readonly #place: Place;
  #depth = 0;
  #values = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** How many messages and numbers in lists the last message held. */
  get values(): number {
    return this.#values;
  }

  /** A record, or what records belong to. */
  read<Message>(table: Table<Message>, json: unknown): Message {
    this.#depth = 0;
    this.#values = 0;
    return this.#message(table, json);
  }

  #message<Message>(table: Table<Message>, json: unknown): Message {
    if (!isObject(json)) throw this.#place.fault(json, 'an object');
    const message = table.create();
    for (const key of Object.keys(json)) {
      const column = table.column(key);
      const value = json[key];
      if (column === undefined || value === null || value === undefined) continue;
      this.#place.enter(key);
      if (key !== column.jsonName && isThere(json[column.jsonName]))
        throw new OtlpFault(`${this.#place.text()}: it is there twice, as "${column.jsonName}", too.`);
      this.#set(message, column, value);
      this.#place.leave();
    }
    return table.finished(message);
  }

  #set(message: Record<string, unknown>, column: Column, value: unknown): void {
    const { name, oneof, content } = column;
    if (oneof !== undefined) {
      const other = message[oneof];
      if (typeof other === 'string')
        throw new OtlpFault(`${this.#place.text()}: only one of its kind may be set, and "${other}" is, too.`);
      message[oneof] = name;
    }
    message[name] = column.isList ? this.#list(content, value) : this.#content(content, value);
  }

  #list(content: Content<unknown>, json: unknown): unknown[] {
    if (!Array.isArray(json)) throw this.#place.fault(json, 'an array');
    const isCounted = !('message' in content);
    return json.map((item: unknown, index) => {
      this.#place.enter(index);
      if (isCounted) this.#count();
      const read = this.#content(content, item);
      this.#place.leave();
      return read;
    });
  }

  #content(content: Content<unknown>, value: unknown): unknown {
    if (!('message' in content)) {
      const read = content.read(value);
      if (read === undefined) throw this.#place.fault(value, content.rule);
      return read;
    }
    this.#depth += 1;
    if (this.#depth > otlpLimits.nesting)
      throw new OtlpFault(
        `${this.#place.text().slice(0, 200)}…: it is nested deeper than ${otlpLimits.nesting} messages.`,
      );
    this.#count();
    const message = this.#message(content.message(), value);
    this.#depth -= 1;
    return message;
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > otlpLimits.valuesPerRecord)
      throw new OtlpFault(`${this.#place.text()}: one record holds more than ${otlpLimits.valuesPerRecord} values.`);
  }
}

function isThere(value: unknown): boolean {
  return value !== null && value !== undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
