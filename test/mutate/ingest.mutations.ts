import type { Mutation } from './mutation.ts';

const ingest = 'src/stages/ingest';

/** What one request may cost the process and its other senders. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'A24: the test endpoint takes as large a body as ingest',
    file: 'src/control/reports/payload-events.ts',
    from: 'payload.body.length > rules.maxBodyBytes ?',
    to: 'payload.body.length > 8 * rules.maxBodyBytes ?',
    test: {
      file: 'src/api/payload-like-ingest.prop.test.ts',
      title: 'A24: the test endpoint takes as much as ingest takes',
    },
  },
  {
    rule: 'A24: the test endpoint splits what ingest splits',
    file: 'src/control/reports/payload-events.ts',
    from: 'batch: batchAsked(contentType, payload.batch),',
    to: 'batch: payload.batch,',
    test: {
      file: 'src/api/payload-like-ingest.prop.test.ts',
      title: 'A24: the test endpoint shows what ingest stores of the same request',
    },
  },
  {
    rule: 'D8: the headers of a batch are bounded by what is stored of them',
    file: 'src/events/event-room.ts',
    from: 'if (this.#events * this.#headerBytes > limits.batchHeaderBytes) return headersTimesEvents;',
    to: '',
    test: { file: `${ingest}/http/batches.test.ts`, title: 'D8: whose headers would be stored too many times' },
  },
  {
    rule: 'D8: each event counts with the headers of its request',
    file: 'src/events/event-room.ts',
    from: '(eventBytes + this.#headerBytes)',
    to: 'eventBytes',
    test: { file: 'src/events/event-room.test.ts', title: 'D8: each event counts with the headers' },
  },
  {
    rule: 'headers that records share are stored with each of them, in the embedded log',
    file: 'src/adapters/lmdb/log/batch-codec.ts',
    from: 'if (list !== this.#list) {',
    to: 'if (this.#bytes.length === 0) {',
    test: { file: 'src/adapters/lmdb/log/batch-codec.prop.test.ts', title: 'gives the records of every batch back' },
  },
  {
    rule: 'headers that records share are stored with each of them, on Kafka',
    file: 'src/adapters/kafka/record-batch.ts',
    from: 'if (list !== this.#list) {',
    to: 'if (this.#bytes.length === 0) {',
    test: { file: 'src/adapters/kafka/record-batch.prop.test.ts', title: 'is read as it was written: values, headers' },
  },
  {
    rule: 'D8: a large batch is split in turns',
    file: `${ingest}/accept/turns.ts`,
    from: '      await this.#turn();\n',
    to: '      await undefined;\n',
    test: { file: `${ingest}/http/batches.test.ts`, title: 'D8: of ten thousand events is split in turns' },
  },
  {
    rule: 'D8: a turn of the event loop takes one step of one request',
    file: `${ingest}/accept/turns.ts`,
    from: '    wake?.();',
    to: '    wake?.();\n    for (const other of this.#waiting.splice(0)) other();',
    test: { file: `${ingest}/accept/turns.test.ts`, title: 'D8: a turn of the event loop takes one step' },
  },
  {
    rule: 'D8: what is not decoded at the deadline is refused',
    file: `${ingest}/accept/intake.ts`,
    from: 'else if (!this.#isDecoded) this.sender.refuse(refusals.tooManyRequests);',
    to: '',
    test: { file: `${ingest}/accept/intake.test.ts`, title: 'D8: a request that is not decoded at its deadline' },
  },
  {
    rule: 'D8: answers count in memory until they are sent',
    file: `${ingest}/exchange/exchange.ts`,
    from: 'return this.#context.unsent.hold(this.response, bytes);',
    to: 'return bytes > 0;',
    test: { file: `${ingest}/exchange/unread-answers.test.ts`, title: 'D8: answers that nobody reads count in memory' },
  },
  {
    rule: 'D8: answers of a connection that breaks count no more',
    file: `${ingest}/exchange/unsent-answers.ts`,
    from: "response.once('close'",
    to: "response.once('finish'",
    test: { file: `${ingest}/exchange/unread-answers.test.ts`, title: 'D8: answers of a connection that breaks' },
  },
  {
    rule: 'D8: a connection that asks without reading is cut when there is no memory left',
    file: `${ingest}/exchange/listener.ts`,
    from: 'context.unsent.wait(response) || ',
    to: 'context.unsent.wait(response) || waiting > 0 || ',
    test: { file: `${ingest}/exchange/unread-answers.test.ts`, title: 'D8: requests that wait behind others count' },
  },
  {
    rule: 'D8: room for the answer is asked for before events are stored',
    file: 'src/events/event-room.ts',
    from: 'isThere && this.#memory.holdAnswer(records * answerBytes)',
    to: 'isThere',
    test: { file: 'src/events/event-room.test.ts', title: 'D8: what the answer will say of events' },
  },
  {
    rule: 'D8: connections leave files for the product itself',
    file: 'src/runtime/composition/connection-shares.ts',
    from: 'const free = files - Math.max(',
    to: 'const free = files - Math.min(',
    test: { file: 'src/runtime/composition/connection-shares.test.ts', title: 'D8: leaves the listeners no more' },
  },
  {
    rule: 'D8: an address has a bound of connections',
    file: 'src/listener/connections-by-address.ts',
    from: 'if (count >= this.#most) return false;',
    to: '',
    test: { file: `${ingest}/exchange/hostile-input.test.ts`, title: 'D8: of an address that has as many as it may' },
  },
  {
    rule: 'D8: a connection that sends nothing is cut',
    file: `${ingest}/exchange/guard-connections.ts`,
    from: 'socket.timeout === firstByteTimeoutMs && socket.bytesRead > 0',
    to: 'socket.timeout === firstByteTimeoutMs',
    test: { file: `${ingest}/exchange/hostile-input.test.ts`, title: 'D8: that sends nothing is cut soon' },
  },
  {
    rule: 'D8: a connection that has begun has the time of a request',
    file: `${ingest}/exchange/guard-connections.ts`,
    from: '    if (hasBegun) {',
    to: '    if (hasBegun && socket.bytesRead < 0) {',
    test: { file: `${ingest}/exchange/hostile-input.test.ts`, title: 'D8: that sends nothing is cut soon' },
  },
  {
    rule: 'D8: the number of headers is bounded',
    file: `${ingest}/exchange/reception.ts`,
    from: 'if (crowded !== undefined) return problemOf(crowded);',
    to: '',
    test: { file: `${ingest}/exchange/hostile-input.test.ts`, title: 'are all kept up to their number' },
  },
];
