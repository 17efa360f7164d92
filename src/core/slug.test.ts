import { expect, test } from 'vitest';
import { slug } from './slug.ts';

test.each([
  ['My Source', 'my-source'],
  ['CamelCase', 'camel-case'],
  ['GitHub Issues', 'git-hub-issues'],
  ['   space   separated  ', 'space-separated'],
  ['__abc_def_xyz___', 'abc-def-xyz'],
  ['a B cd-eF   x_y___z__', 'a-b-cd-e-f-x-y-z'],
  ['ex-generic-v2', 'ex-generic-v2'],
  ['!!!!~~~~weird|||id##', 'weird-id'],
  ['Žluťoučký kůň', 'zlutoucky-kun'],
  ['Ørsted', 'ørsted'],
  ['HTTPServer', 'httpserver'],
  ['!!!', ''],
])('the slug of %j is %j', (name, id) => {
  expect(slug(name)).toBe(id);
});
