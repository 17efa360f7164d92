import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { longListJson } from './long-list-json.ts';
import { prettyJson } from '../http/send-reply.ts';

const value = fc.jsonValue({ maxDepth: 3 });
const object = fc.dictionary(fc.string(), value, { maxKeys: 4 });

test('a list that is made item by item has the text of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(object, fc.array(object, { maxLength: 5 }), value, async (head, items, more) => {
      const { list: _, ...before } = head;
      const full = { ...before, always: more };
      let text = '';
      for await (const part of longListJson(full, 'list', items)) text += part;
      expect(text).toBe(prettyJson({ ...full, list: items }));
    }),
  );
});
