import type { Mutation } from './mutation.ts';

const schemas = 'src/adapters/schema-registry';
const encoder = `${schemas}/schema-encoder.registry.test.ts`;

/** What `send --kafka` writes, and what it refuses. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'D1: what Kafka may have stored is not sent again by itself',
    file: 'src/cli/send/kafka-target.ts',
    from: "(sent.kind === 'unanswered' && doubles)",
    to: "sent.kind === 'unanswered'",
    test: { file: 'src/cli/send/kafka-target.test.ts', title: 'D1: sends again what was certainly not stored' },
  },
  {
    rule: 'what no broker took is sent again',
    file: 'src/cli/send/kafka-target.ts',
    from: "      return { kind: 'unreachable', reason };",
    to: "      return { kind: 'refused', isTooLarge: false, reason };",
    test: { file: 'src/cli/send/kafka-target.test.ts', title: 'D1: sends again what was certainly not stored' },
  },
  {
    rule: 'D1: what a topic refuses for good is not sent again',
    file: 'src/cli/send/kafka-target.ts',
    from: "    case 'log.topicNotFound':\n",
    to: '',
    test: { file: 'src/cli/send/kafka-target.test.ts', title: 'D1: what is refused for good' },
  },
  {
    rule: 'a batch that is too large for the topic goes in halves',
    file: 'src/cli/send/kafka-target.ts',
    from: "{ kind: 'refused', isTooLarge: true, reason }",
    to: "{ kind: 'refused', isTooLarge: false, reason }",
    test: { file: 'src/cli/send/kafka-target.test.ts', title: 'D1: what is too large goes in halves' },
  },
  {
    rule: 'D9: a field that an Avro schema does not have is refused',
    file: `${schemas}/avro-writer.ts`,
    from: "  if (unknown !== undefined) throw new Unfit([...path, unknown], 'the schema has no such field');\n",
    to: '',
    test: { file: encoder, title: 'Avro: {"number":1,"nmae":"x"} does not fit' },
  },
  {
    rule: 'D9: a field that a Protobuf message does not have is refused',
    file: `${schemas}/protobuf-writer.ts`,
    from: 'if (field === undefined) throw new Unfit([...path, key], `the message ${type.name} has no such field`);',
    to: 'if (field === undefined) continue;',
    test: { file: encoder, title: 'Protobuf: {"order_numbr":1} does not fit' },
  },
  {
    rule: 'D9: an integer of Protobuf is refused, not cut',
    file: `${schemas}/protobuf-writer.ts`,
    from: 'if (cut === value) return',
    to: 'if (cut <= value) return',
    test: { file: encoder, title: 'Protobuf: {"count":2147483648} does not fit' },
  },
  {
    rule: 'a Protobuf value says that it is the first message of its file',
    file: `${schemas}/schema-shape.ts`,
    from: 'const firstMessage = Buffer.of(0);',
    to: 'const firstMessage = Buffer.of();',
    test: { file: encoder, title: 'Protobuf: what is encoded is decoded to the same JSON' },
  },
  {
    rule: 'JSON that fits its schema keeps all its digits',
    file: `${schemas}/schema-shape.ts`,
    from: 'framed: (head, _encoded, json) => Buffer.concat([head, json])',
    to: 'framed: (head, encoded) => Buffer.concat([head, encoded])',
    test: { file: encoder, title: 'JSON Schema: a text that fits stays as it was written' },
  },
  {
    rule: 'D9: a draft of JSON Schema that is not known is refused in words',
    file: `${schemas}/schema-shape.ts`,
    from: '      checkDraft(parseJsonText(text));\n',
    to: '',
    test: { file: encoder, title: 'https://json-schema.org/draft/2020-12/schema' },
  },
  {
    rule: 'registering leaves the rule of compatibility of a subject as it is',
    file: `${schemas}/schema-encoder.ts`,
    from: 'updateConfig: false, ...compatibilityOf(config)',
    to: '...compatibilityOf(undefined)',
    test: { file: encoder, title: 'keeps the id of a schema that is there' },
  },
  {
    rule: 'looking at a catalog makes none (PostgreSQL)',
    file: 'src/adapters/postgres/catalog.ts',
    from: 'if (options.mustExist) await findCatalogSchema(client, schema, waiting);\n    else await',
    to: 'await',
    test: { file: 'src/adapters/postgres/catalog-faults.postgres.test.ts', title: 'one that must exist is found' },
  },
  {
    rule: 'looking at a catalog makes none (MongoDB)',
    file: 'src/adapters/mongodb/catalog.ts',
    from: 'options.mustExist ? findCatalogDatabase(place) : prepareCatalogDatabase(place)',
    to: 'prepareCatalogDatabase(place)',
    test: { file: 'src/adapters/mongodb/catalog-faults.mongo.test.ts', title: 'one that must exist is found' },
  },
];
