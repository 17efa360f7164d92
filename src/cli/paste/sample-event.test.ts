import { expect, test } from 'vitest';
import { sampleEvent } from './sample-event.ts';

test('a sample event has what the columns read, so that it becomes a row of them', () => {
  expect(sampleEvent([{ type: 'uuid', name: 'id' }])).toBe('{"hello":"world"}');
  const path = (place: string) => ({ type: 'path', name: place, path: place }) as const;
  expect(sampleEvent([path('customer.name'), path('items[1].id'), path('customer.age')])).toBe(
    '{"customer":{"name":"world","age":"world"},"items":["world",{"id":"world"}]}',
  );
  expect(sampleEvent([path('[0].a')])).toBe('[{"a":"world"}]');
  expect(sampleEvent([{ ...path('total'), defaultValue: '0' }])).toBe('{"total":"world"}');
});

test('what templates read is tried as text, as a number and as more, until they take it', () => {
  const template = (content: string) =>
    ({ type: 'template', name: 't', template: { language: 'jsonnet', content } }) as const;
  expect(sampleEvent([template(`Body('price') * Body("count", 1)`)])).toBe('{"price":1,"count":1}');
  expect(sampleEvent([template(`Body('items')[0] * 2`)])).toBe('{"items":[1]}');
  expect(sampleEvent([template(`error "never"`)])).toBeUndefined();
});
