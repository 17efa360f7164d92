import type { Mutation } from './mutation.ts';

const otlp = 'src/otlp';
const protobuf = `${otlp}/decode/protobuf-request.prop.test.ts`;
const both = { file: `${otlp}/decode/request-readers.prop.test.ts`, title: 'is the same in protobuf and in JSON' };

/** What the readers of OTLP check of a body that its codec takes on trust. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'A19: counters of 64 bits are exact',
    file: `${otlp}/wire/wire-reader.ts`,
    from: 'if (high >= 0x20_0000) return this.dataView.getBigUint64(at, true);',
    to: '',
    test: both,
  },
  {
    rule: 'A19: nothing of a body reaches over the end of what it is in',
    file: `${otlp}/wire/wire-reader.ts`,
    from: 'if (this.pos > end) throw cut(this.pos);',
    to: '',
    test: {
      file: `${otlp}/wire/wire-reader.test.ts`,
      title: 'A19: a text that reaches over the end of its record is refused',
    },
  },
  {
    rule: 'D8: messages are not nested without end',
    file: `${otlp}/wire/wire-reader.ts`,
    from: 'if (this.#depth > otlpLimits.nesting)',
    to: 'if (this.#depth > 50 * otlpLimits.nesting)',
    test: { file: protobuf, title: 'D8: is not nested without end' },
  },
  {
    rule: 'D8: one record holds no more values than are allowed',
    file: `${otlp}/wire/wire-reader.ts`,
    from: 'if (this.#values > otlpLimits.valuesPerRecord)',
    to: 'if (this.#values > 10 * otlpLimits.valuesPerRecord)',
    test: { file: protobuf, title: 'D8: has no more values than are allowed' },
  },
  {
    rule: 'A19: a record belongs to its resource wherever that stands',
    file: `${otlp}/decode/protobuf-request.ts`,
    from: 'this.#visitor.resource(resource, schemaUrl);',
    to: 'this.#visitor.resource(undefined, schemaUrl);',
    test: { file: protobuf, title: 'gets the resource and the scope that stand behind it' },
  },
];
