import type { Scalar } from './scalars.ts';

/** Names of the fields that say which case of a `oneof` is set, or that an `optional` field is. */
type CaseKey<Message> = {
  [Name in keyof Message]-?: undefined extends Message[Name]
    ? Exclude<Message[Name], undefined> extends keyof Message
      ? Name
      : never
    : never;
}[keyof Message];

/** What may stand in a field of one type of messages. */
export type Content<Value> = Scalar<Value> | { readonly message: () => Table<Exclude<Value, undefined>> };

export type Field<Value> = [Value] extends [readonly (infer Item)[]]
  ? { readonly list: Content<Item> }
  : Content<Value> | { readonly content: Content<Value>; readonly oneof: string };

/** Every field of a message; what says which case is set follows from those. */
export type Fields<Message> = {
  readonly [Name in keyof Omit<Message, CaseKey<Message>>]-?: Field<Message[Name]>;
};

/** A field as its reader wants it. */
export interface Column {
  readonly name: string;
  /** As the official senders call it. */
  readonly jsonName: string;
  readonly isList: boolean;
  readonly content: Content<unknown>;
  /** The field of the message that names the case that is set. */
  readonly oneof: string | undefined;
}

/** How one type of messages stands in JSON. */
export class Table<Message> {
  readonly columns: readonly Column[];
  readonly #byKey = new Map<string, Column>();
  readonly #absent: Readonly<Record<string, unknown>>;
  readonly #lists: readonly string[];
  readonly #empty: (() => Message) | undefined;

  /** `empty` makes a message without content in less time, for those that requests are full of. */
  constructor(fields: Fields<Message>, empty?: () => Message) {
    this.#empty = empty;
    this.columns = Object.entries(fields).map(([name, field]) => columnOf(name, field as Field<unknown>));
    for (const column of this.columns) {
      this.#byKey.set(column.name, column);
      this.#byKey.set(column.jsonName, column);
    }
    this.#lists = this.columns.filter(({ isList }) => isList).map(({ name }) => name);
    this.#absent = Object.fromEntries(this.columns.flatMap(absentOf));
  }

  /** By its name in the definitions or in JSON. */
  column(key: string): Column | undefined {
    return this.#byKey.get(key);
  }

  /** A message without content. */
  create(): Record<string, unknown> {
    if (this.#empty !== undefined) return this.#empty() as Record<string, unknown>;
    const message = { ...this.#absent };
    for (const name of this.#lists) message[name] = [];
    return message;
  }

  /** What `create` made, and its fields have filled. */
  finished(message: Record<string, unknown>): Message {
    return message as Message;
  }
}

function columnOf(name: string, field: Field<unknown> | { readonly list: Content<unknown> }): Column {
  const jsonName = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if ('list' in field) return { name, jsonName, isList: true, content: field.list, oneof: undefined };
  if ('oneof' in field) return { name, jsonName, isList: false, content: field.content, oneof: field.oneof };
  return { name, jsonName, isList: false, content: field, oneof: undefined };
}

function absentOf({ name, isList, content, oneof }: Column): [string, unknown][] {
  const absent: [string, unknown] = [name, isList || 'message' in content ? undefined : content.absent];
  return oneof === undefined ? [absent] : [absent, [oneof, undefined]];
}
