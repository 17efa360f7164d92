import type { Mutation } from './mutation.ts';

const grpc = 'src/stages/ingest/otlp-grpc';
const limits = `${grpc}/limits.test.ts`;
const calls = `${grpc}/calls.test.ts`;
const connections = `${grpc}/connections.test.ts`;
const unread = `${grpc}/unread.test.ts`;

/** What a call of OTLP over gRPC may cost, and who may make one. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'D8: a message that arrives over gRPC counts piece by piece',
    file: `${grpc}/call.ts`,
    from: 'const taken = 2 * bytes.length + pieceBytes;',
    to: 'const taken = 0;',
    test: { file: limits, title: 'counts what has arrived of a message, piece by piece' },
  },
  {
    rule: 'D8: a message over gRPC that is too large is refused',
    file: `${grpc}/call.ts`,
    from: 'this.#receivedBytes > maxBodyBytes + prefixBytes',
    to: 'false',
    test: { file: limits, title: 'refuses what is larger than a message may be' },
  },
  {
    rule: 'D8: the library of gRPC does not inflate',
    file: `${grpc}/bare-call.ts`,
    from: "  inner.incomingEncoding = 'identity';\n",
    to: '',
    test: { file: limits, title: 'a bomb takes the memory of its limit at most' },
  },
  {
    rule: 'what is wrong with a compressed message over gRPC is said of grpc-encoding',
    file: `${grpc}/call.ts`,
    from: ", codingHeader: 'grpc-encoding' } as const",
    to: ' } as const',
    test: { file: limits, title: 'what is wrong with a compressed message is said of grpc-encoding' },
  },
  {
    rule: 'D8: a call over gRPC that arrives too slowly is cut',
    file: `${grpc}/call.ts`,
    from: 'begin(bytes, this.#context.requestTimeoutMs)',
    to: 'begin(bytes)',
    test: { file: limits, title: 'what arrives too slowly is cut' },
  },
  {
    rule: 'A43: calls over gRPC that arrive take half of the memory at most',
    file: `${grpc}/arriving-calls.ts`,
    from: 'if (isCrowded || !this.#all.add(bytes)) return false;',
    to: 'if (isCrowded) return false;',
    test: { file: limits, title: 'A43: calls that are begun and not ended take no place of JSON' },
  },
  {
    rule: 'A43: calls over gRPC that arrive from one address leave place for others',
    file: `${grpc}/arriving-calls.ts`,
    from: '!own.fits(bytes) && ',
    to: 'false && ',
    test: { file: limits, title: 'A43: calls that are begun and not ended take no place of JSON' },
  },
  {
    rule: 'A43: a call over gRPC whose message is whole arrives no more',
    file: `${grpc}/call.ts`,
    from: "    this.#state = 'storing';\n    this.#leaveArriving();\n",
    to: "    this.#state = 'storing';\n",
    test: { file: limits, title: 'A43: calls that are begun and not ended take no place of JSON' },
  },
  {
    rule: 'A29: a secret over gRPC is looked for in the source that the call names',
    file: 'src/stages/ingest/accept/targets.ts',
    from: 'return named === undefined ||',
    to: 'return true ||',
    test: { file: calls, title: 'A29: is known by its secret with or without the source' },
  },
  {
    rule: 'binary metadata are no headers of the event',
    file: `${grpc}/metadata.ts`,
    from: "if (!name.endsWith('-bin')) headers",
    to: 'headers',
    test: { file: calls, title: 'A29, A41: metadata are headers of the event' },
  },
  {
    rule: 'a refusal over gRPC says how long to wait',
    file: `${grpc}/answer.ts`,
    from: 'statusBytes({ code, message: details }, retryAfterSeconds)',
    to: 'statusBytes({ code, message: details })',
    test: { file: calls, title: 'D1: what the log refuses is told with the time to wait' },
  },
  {
    rule: 'D10: what is cut over gRPC gets its status before its connection ends',
    file: `${grpc}/otlp-grpc-ingest.ts`,
    from: 'void setImmediate(() => closeThose(() => true))',
    to: 'closeThose(() => true)',
    test: { file: limits, title: 'cuts what still arrives when the time for that is over' },
  },
  {
    rule: 'D8: an answer over gRPC that is not read counts in memory',
    file: `${grpc}/unread-answer.ts`,
    from: '    inFlight.count(bytes);\n',
    to: '    inFlight.count(0);\n',
    test: { file: unread, title: 'an answer that its sender does not read counts in memory' },
  },
  {
    rule: 'D8: an answer over gRPC that is not read is not waited for without end',
    file: `${grpc}/unread-answer.ts`,
    from: '    this.#bare.cancel();\n',
    to: '',
    test: { file: unread, title: 'an answer that its sender does not read counts in memory' },
  },
  {
    rule: 'D8: a call over gRPC that the library has answered is over',
    file: `${grpc}/end-answered.ts`,
    from: '  stream.close(constants.NGHTTP2_NO_ERROR);\n',
    to: '',
    test: {
      file: unread,
      title: 'a call that was answered is over, whether or not its sender ends it: a time that has passed',
    },
  },
  {
    rule: 'a call over gRPC whose connection ends is cut, and is no request that is wrong',
    file: `${grpc}/call.ts`,
    from: 'bare.isCutOff() ? this.#gone() : ',
    to: '',
    test: { file: limits, title: 'counts what has arrived of a message, piece by piece' },
  },
  {
    rule: 'D8: a connection over gRPC has so many calls at a time',
    file: `${grpc}/otlp-grpc-ingest.ts`,
    from: 'const callsPerConnection = 100;',
    to: 'const callsPerConnection = 1000;',
    test: { file: connections, title: 'has a hundred calls at a time' },
  },
  {
    rule: 'D8: a connection over gRPC whose peer answers no ping is closed',
    file: `${grpc}/otlp-grpc-ingest.ts`,
    from: "    'grpc.keepalive_time_ms': config.idleTimeoutMs,\n",
    to: '',
    test: { file: connections, title: 'is closed when its peer does not answer a ping' },
  },
  {
    rule: 'D8: a connection over gRPC whose peer answers no ping is closed in its time',
    file: `${grpc}/otlp-grpc-ingest.ts`,
    from: "    'grpc.keepalive_timeout_ms': config.idleTimeoutMs,\n",
    to: '',
    test: { file: connections, title: 'is closed when its peer does not answer a ping' },
  },
];
