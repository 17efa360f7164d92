import { setImmediate } from 'node:timers/promises';

/**
 * The text of an object, as people read it, whose last field is a long list. Its items are made one at a time, as the client reads, and
 * whatever else this process does comes in between. `head` has at least one field.
 */
export async function* longListJson(head: object, name: string, items: Iterable<object>): AsyncGenerator<string> {
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  ${JSON.stringify(name)}: [`;
  let isFirst = true;
  for (const item of items) {
    const text = JSON.stringify(item, null, 2).replaceAll('\n', '\n    ');
    yield `${isFirst ? '' : ','}\n    ${text}`;
    isFirst = false;
    await setImmediate();
  }
  yield isFirst ? ']\n}\n' : '\n  ]\n}\n';
}
