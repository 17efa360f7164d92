import type { Mutation } from './mutation.ts';

const otlp = 'src/otlp';
const protobuf = `${otlp}/decode/protobuf-request.prop.test.ts`;
const flat = {
  file: `${otlp}/flatten/flatten.prop.test.ts`,
  title: 'are valid JSON, as a slow flattening by another decoder has them',
};
const ownTimes = { file: `${otlp}/flatten/point-times.prop.test.ts`, title: 'A19: the times of a point are its own' };
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
  {
    rule: 'A19: a text of a sender that has a quote is escaped',
    file: `${otlp}/wire/wire-reader.ts`,
    from: 'byte < 0x20 || byte === 0x22',
    to: 'byte < 0x20',
    test: flat,
  },
  {
    rule: 'A19: a text that is not UTF-8 is refused',
    file: `${otlp}/wire/wire-reader.ts`,
    from: 'if ((bits & wide) !== 0 && !isUtf8(body.subarray(start, end)))',
    to: 'if (false)',
    test: { file: `${otlp}/wire/wire-reader.test.ts`, title: 'A19, A52: a text that is not UTF-8 is refused' },
  },
  {
    rule: 'D8: a large value in JSON is read in turns',
    file: `${otlp}/json/json-body.ts`,
    from: 'if (this.#work < this.#nextStep) return false;',
    to: 'return false;',
    test: { file: `${otlp}/decode/steps.test.ts`, title: 'D8: some megabytes of JSON are parsed in turns' },
  },
  {
    rule: 'A19: a large text in JSON is not cut in a character',
    file: `${otlp}/json/json-body.ts`,
    from: 'while (isContinuation(body[at])) at += 1;',
    to: '',
    test: { file: `${otlp}/decode/steps.test.ts`, title: 'A19: a large text is the same wherever it is cut' },
  },
  {
    rule: 'A19: the text of a histogram has its own bounds',
    file: `${otlp}/flatten/point-text.ts`,
    from: 'if (list.length !== last.length || list.some((bound, at) => bound !== last[at]))',
    to: 'if (list.length !== last.length)',
    test: flat,
  },
  {
    rule: 'A19: the times of a point are its own',
    file: `${otlp}/flatten/point-times.ts`,
    from: 'start === this.#start && time === this.#time',
    to: 'time === this.#time',
    test: ownTimes,
  },
  {
    rule: 'A19: the times of a point are not those of another request that is read in turns with it',
    file: `${otlp}/flatten/point-times.ts`,
    from: `    started.set(start);
    timestamp.set(time);
    this.#kept`,
    to: `    if (!isAgain) started.set(start);
    if (!isAgain) timestamp.set(time);
    this.#kept`,
    test: ownTimes,
  },
  {
    rule: 'A19: a number of few decimals has all of them',
    file: `${otlp}/flatten/json-writer.ts`,
    from: 'thousandths / 1000 !== size',
    to: 'Math.abs(thousandths / 1000 - size) > 1e-6',
    test: { file: `${otlp}/flatten/json-writer.prop.test.ts`, title: 'A19: a number is that of JSON.stringify' },
  },
  {
    rule: 'A19: the entities of a resource are kept',
    file: `${otlp}/flatten/scope.ts`,
    from: 'if (entities.length === 0) return;',
    to: 'if (entities.length >= 0) return;',
    test: { file: `${otlp}/flatten/flatten.prop.test.ts`, title: 'are valid JSON, as a slow flattening' },
  },
  {
    rule: 'A19: a span without an end has no duration',
    file: `${otlp}/flatten/span-text.ts`,
    from: '!timestamp.isNone && !ended.isNone',
    to: '!timestamp.isNone',
    test: { file: `${otlp}/flatten/flatten.prop.test.ts`, title: 'are valid JSON, as a slow flattening' },
  },
  {
    rule: 'A19: a time has all its nanoseconds',
    file: `${otlp}/flatten/time-text.ts`,
    from: 'this.#second = second + carry;',
    to: 'this.#second = second;',
    test: { file: `${otlp}/flatten/time-text.prop.test.ts`, title: 'A19: a time has all its nanoseconds' },
  },
  {
    rule: 'D8: one record does not take more memory than it may',
    file: `${otlp}/flatten/json-writer.ts`,
    from: 'this.#refuse(used);',
    to: '',
    test: { file: `${otlp}/flatten/json-writer.prop.test.ts`, title: 'D8: a text that is larger than allowed' },
  },
];
