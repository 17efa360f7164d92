import type { Mutation } from './mutation.ts';

const encoding = 'src/events/encoding';
const decoders = `${encoding}/decoders.prop.test.ts`;

/** What a body may be, and what reading it may cost. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'D8: a decoded body ends at the limit of bodies',
    file: `${encoding}/decode-one.ts`,
    from: 'if (length > maxBytes) resolve',
    to: 'if (length > 1000 * maxBytes) resolve',
    test: { file: decoders, title: 'D8: a body that gzip made small ends at the limit' },
  },
  {
    rule: 'D8: what is decoded counts before more is made',
    file: `${encoding}/decode-one.ts`,
    from: 'else if (memory.hold(chunk.length))',
    to: 'else if (memory.hold(0))',
    test: { file: decoders, title: 'D8: what is decoded counts while it is made' },
  },
  {
    rule: 'D8: a window of a compressed body has a limit',
    file: `${encoding}/decode-one.ts`,
    from: '[constants.ZSTD_d_windowLogMax]: 23',
    to: '[constants.ZSTD_d_windowLogMax]: 27',
    test: { file: decoders, title: 'D8: a window of more than 8 MB is refused' },
  },
  {
    rule: 'D8: few bodies are decoded at a time',
    file: `${encoding}/decoders.ts`,
    from: 'if (this.#running < atOnce)',
    to: 'if (this.#running < 100 * atOnce)',
    test: { file: decoders, title: 'D8: four bodies are decoded at a time' },
  },
  {
    rule: 'D8: a request that has ended holds nothing',
    file: 'src/stages/ingest/accept/intake.ts',
    from: 'if (this.#isEnded || !this',
    to: 'if (!this',
    test: { file: 'src/stages/ingest/accept/intake.test.ts', title: 'D8: a request that has ended holds nothing' },
  },
  {
    rule: 'A45: what follows the end of a compressed body is not left out in silence',
    file: `${encoding}/decode-one.ts`,
    from: 'rest > 0 ?',
    to: 'rest > 1000 ?',
    test: { file: decoders, title: 'A45: a body that is cut anywhere, or goes on behind its end' },
  },
  {
    rule: 'A45: a zstd body that is cut is refused, also where Node takes it',
    file: `${encoding}/zstd-frame.ts`,
    from: 'return at + checksumBytes > encoded.length;',
    to: 'return at > encoded.length;',
    test: { file: `${encoding}/zstd-frame.prop.test.ts`, title: 'A45: a zstd frame is cut' },
  },
  {
    rule: 'A45: an event has the headers of its decoded body',
    file: 'src/stages/ingest/exchange/exchange.ts',
    from: 'rawHeaders: decodedHeaders(received.rawHeaders, body.length)',
    to: 'rawHeaders: received.rawHeaders',
    test: { file: 'src/stages/ingest/http/encoded-bodies.test.ts', title: 'by gzip' },
  },
  {
    rule: 'A24: the test endpoint decodes what ingest decodes',
    file: 'src/control/reports/payload-events.ts',
    from: 'if (codings.length === 0) return content;',
    to: 'if (codings.length >= 0) return content;',
    test: {
      file: 'src/api/payload-like-ingest.prop.test.ts',
      title: 'A24: the test endpoint shows what ingest stores of the same request',
    },
  },
  {
    rule: 'A46: a source may go by the Content-Type alone',
    file: 'src/events/read-request.ts',
    from: "rules.contentType === 'auto' && ",
    to: '',
    test: { file: 'src/stages/ingest/http/batches.test.ts', title: 'A46: an event that is no batch keeps' },
  },
  {
    rule: 'A46: a body that is not UTF-8 is no JSON text',
    file: 'src/events/one-json-text.ts',
    from: ' && isUtf8(this.#body)',
    to: '',
    test: { file: 'src/events/one-json-text.prop.test.ts', title: 'A46: one JSON text is what JSON.parse takes' },
  },
  {
    rule: 'A47: the whole body around a batch must be JSON',
    file: 'src/events/json-array-elements.ts',
    from: 'if (scan.fault !== undefined) return invalid(`The body',
    to: 'if (scan.fault?.at === -1) return invalid(`The body',
    test: { file: 'src/events/split-events.prop.test.ts', title: 'A47: the array at a path gives' },
  },
  {
    rule: 'A48: a form of several parts that is cut is refused',
    file: 'src/mapping/multipart-body.ts',
    from: '  parser.finish();\n',
    to: '',
    test: { file: 'src/mapping/multipart-body.prop.test.ts', title: 'A48: a body that is cut anywhere' },
  },
];
