import { OtlpFault } from '../otlp-fault.ts';
import { otlpLimits } from '../otlp-limits.ts';
import { LargeValue, type JsonBody, type JsonObject } from './json-body.ts';
import type { Place } from './place.ts';
import type { Scalar } from './scalars.ts';
import type { Column, Content, Table } from './table.ts';

/** Makes messages of parsed JSON, as the rules of proto3 and OTLP have it; unknown fields are left out. Throws an `OtlpFault`. */
export class MessageReader {
  readonly #body: JsonBody;
  readonly #place: Place;
  #depth = 0;
  #values = 0;

  constructor(body: JsonBody, place: Place) {
    this.#body = body;
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

  /** The same of what is not parsed yet, or has fields that are not, in steps. */
  *readLarge<Message>(table: Table<Message>, json: LargeValue | JsonObject): Generator<void, Message> {
    this.#depth = 0;
    this.#values = 0;
    return yield* this.#largeMessage(table, json);
  }

  #message<Message>(table: Table<Message>, json: unknown): Message {
    if (!isObject(json)) throw this.#place.fault(json, 'an object');
    const message = table.create();
    for (const key of Object.keys(json)) {
      const column = table.column(key);
      const value = json[key];
      if (column === undefined || value === null || value === undefined) continue;
      this.#enter(key, column, json);
      this.#choose(message, column);
      message[column.name] = this.#field(column, value);
      this.#place.leave();
    }
    return table.finished(message);
  }

  *#largeMessage<Message>(table: Table<Message>, json: LargeValue | JsonObject): Generator<void, Message> {
    const fields = yield* this.#fields(table, json);
    const message = table.create();
    for (const key of Object.keys(fields)) {
      const column = table.column(key);
      const value = fields[key];
      if (column === undefined || !isThere(value)) continue;
      this.#enter(key, column, fields);
      this.#choose(message, column);
      message[column.name] =
        value instanceof LargeValue ? yield* this.#largeField(column, value) : this.#field(column, value);
      this.#place.leave();
    }
    return table.finished(message);
  }

  *#fields(table: Table<unknown>, json: LargeValue | JsonObject): Generator<void, JsonObject> {
    if (!(json instanceof LargeValue)) return json;
    if (!this.#body.isObject(json)) throw this.#place.fault(this.#body.sample(json), 'an object');
    return yield* this.#body.object(json, (key) => table.column(key) !== undefined);
  }

  #enter(key: string, { jsonName }: Column, fields: JsonObject): void {
    this.#place.enter(key);
    if (key !== jsonName && isThere(fields[jsonName]))
      throw new OtlpFault(`${this.#place.text()}: it is there twice, as "${jsonName}", too.`);
  }

  /** Of a oneof the case that is set. */
  #choose(message: Record<string, unknown>, { name, oneof }: Column): void {
    if (oneof === undefined) return;
    const other = message[oneof];
    if (typeof other === 'string')
      throw new OtlpFault(`${this.#place.text()}: only one of its kind may be set, and "${other}" is, too.`);
    message[oneof] = name;
  }

  #field({ isList, content }: Column, value: unknown): unknown {
    return isList ? this.#list(content, value) : this.#content(content, value);
  }

  *#largeField({ isList, content }: Column, value: LargeValue): Generator<void, unknown> {
    if (!isList) return yield* this.#largeContent(content, value);
    if (!this.#body.isArray(value)) throw this.#place.fault(this.#body.sample(value), 'an array');
    const list: unknown[] = [];
    for (const group of this.#body.elements(value)) {
      for (const item of group) {
        this.#place.enter(list.length);
        if (!('message' in content)) this.#count();
        list.push(item instanceof LargeValue ? yield* this.#largeContent(content, item) : this.#content(content, item));
        this.#place.leave();
      }
      yield;
    }
    return list;
  }

  *#largeContent(content: Content<unknown>, value: LargeValue): Generator<void, unknown> {
    if (!('message' in content)) {
      if (this.#body.isArray(value) || this.#body.isObject(value))
        throw this.#place.fault(this.#body.sample(value), content.rule);
      return this.#scalar(content, yield* this.#body.text(value));
    }
    this.#descend();
    const message = yield* this.#largeMessage(content.message(), value);
    this.#depth -= 1;
    return message;
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
    if (!('message' in content)) return this.#scalar(content, value);
    this.#descend();
    const message = this.#message(content.message(), value);
    this.#depth -= 1;
    return message;
  }

  #scalar({ read, rule }: Scalar<unknown>, value: unknown): unknown {
    const known = read(value);
    if (known === undefined) throw this.#place.fault(value, rule);
    return known;
  }

  /** Into a message of a message. */
  #descend(): void {
    this.#depth += 1;
    if (this.#depth > otlpLimits.nesting)
      throw new OtlpFault(
        `${this.#place.text().slice(0, 200)}…: it is nested deeper than ${otlpLimits.nesting} messages.`,
      );
    this.#count();
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
