import {
  assert,
  boolean,
  dictionary,
  double,
  jsonValue,
  object,
  oneof,
  property,
  string,
  stringMatching,
} from 'fast-check';
import { expect, it } from 'vitest';
import { valueOf } from '../../../test/support/evaluate-text.ts';

/** A string that ends a line stands in a block, whose first line may not be empty or begin with a space. */
const lines = stringMatching(/^([a-z:#-]{1,4}( [a-z]{0,3})?\n){1,3}$/);
const values = oneof(jsonValue({ maxDepth: 4 }), lines, dictionary(string(), oneof(lines, jsonValue())));

/** Without digits, of which some stand bare although YAML 1.1 has them as numbers (`0o7`), as the reference has it. */
const wordKeys = object({
  key: stringMatching(/^[a-zA-Z./_-]{0,5}$/),
  values: [string(), lines, boolean(), double({ noNaN: true, noDefaultInfinity: true })],
});

/** A value after a way through functions that write and read it. */
const through = (value: unknown, way: (json: string) => string): unknown =>
  valueOf(way(`std.parseJson(${JSON.stringify(JSON.stringify(value))})`));

/** As JSON has it, which has no zero with a sign. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it.each(['', ', indent_array_in_object=true'])(
  'what std.manifestYamlDoc(…%s) writes is read as the same value by std.parseYaml',
  (options) => {
    assert(
      property(values, (value) => {
        const read = through(value, (json) => `std.parseYaml(std.manifestYamlDoc(${json}${options}))`);
        expect(read).toEqual(asJson(value));
      }),
    );
  },
);

it('keys that std.manifestYamlDoc leaves bare are read as the same strings', () => {
  assert(
    property(wordKeys, (value) => {
      const read = through(value, (json) => `std.parseYaml(std.manifestYamlDoc(${json}, quote_keys=false))`);
      expect(read).toEqual(asJson(value));
    }),
  );
});

it('what std.manifestJson writes is read as the same value', () => {
  assert(
    property(values, (value) => {
      const read = through(value, (json) => `std.parseJson(std.manifestJson(${json}))`);
      expect(read).toEqual(asJson(value));
    }),
  );
});
