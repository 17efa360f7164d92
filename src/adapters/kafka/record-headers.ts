import type { IHeaders } from 'kafkajs';
import { reservedHeaders } from '../../core/event.ts';

/**
 * kafkajs keeps headers in an object: names that appear again are gathered at their first place, and names that look
 * like array indexes come first. A list of which that changes the order carries the order in this header of its own.
 */
const orderHeader = `${reservedHeaders.prefix}header-order`;

/** From the port's flat list to kafkajs's object. */
export function toKafkaHeaders(list: readonly string[]): IHeaders {
  const byName = new Map<string, string | string[]>();
  for (let at = 0; at < list.length; at += 2) {
    const [name = '', value = ''] = [list[at], list[at + 1]];
    const present = byName.get(name);
    if (present === undefined) byName.set(name, value);
    else if (Array.isArray(present)) present.push(value);
    else byName.set(name, [present, value]);
  }
  const headers: IHeaders = Object.fromEntries(byName);
  const gathered = namesOf(headers);
  const names = list.filter((_, at) => at % 2 === 0);
  if (gathered.every((name, at) => name === names[at])) return headers;
  return { ...headers, [orderHeader]: JSON.stringify(names.map((name) => gathered.indexOf(name))) };
}

/** And back. Of a record that somebody else wrote, repeated names come together, as kafkajs gives them. */
export function fromKafkaHeaders(headers: IHeaders | undefined): string[] {
  const { [orderHeader]: order, ...rest } = headers ?? {};
  const gathered = Object.entries(rest).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : [value];
    return values.map((one) => [name, String(one ?? '')] as const);
  });
  return inOrder(gathered, order).flat();
}

type Header = readonly [name: string, value: string];

/** `order`: for each header the place of the first of its name among the gathered ones; ignored when it does not fit. */
function inOrder(gathered: readonly Header[], order: IHeaders[string]): readonly Header[] {
  const firsts = order === undefined ? undefined : parseOrder(order.toString());
  if (!Array.isArray(firsts)) return gathered;
  const taken = new Map<unknown, number>();
  const places = new Set<number>();
  for (const first of firsts) {
    const place = taken.get(first) ?? Number(first);
    taken.set(first, place + 1);
    places.add(place);
  }
  const ordered = [...places].map((place) => gathered[place]).filter((header) => header !== undefined);
  return ordered.length === gathered.length ? ordered : gathered;
}

/** Undefined for what is not JSON: somebody else's header of this name. */
function parseOrder(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function namesOf(headers: IHeaders): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => (Array.isArray(value) ? value.map(() => name) : [name]));
}
