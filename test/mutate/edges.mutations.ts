import type { Mutation } from './mutation.ts';

/** What strangers may try at the listeners. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'D9: the connection ends behind a request for another protocol',
    file: 'src/listener/upgrades.ts',
    from: 'response.shouldKeepAlive = false;',
    to: '',
    test: { file: 'src/listener/upgrades.test.ts', title: 'with another' },
  },
  {
    rule: 'D9: nothing is served behind a request for another protocol that was not alone',
    file: 'src/listener/upgrades.ts',
    from: 'last?.isAlone === false',
    to: 'last === null',
    test: { file: 'src/listener/upgrades.test.ts', title: 'while its answer is not there' },
  },
  {
    rule: 'D9: an early answer keeps no connection on which more was read than the request',
    file: 'src/listener/upgrades.ts',
    from: 'if (!offer.isAlone) endConnection(response);',
    to: '',
    test: { file: 'src/listener/upgrades.test.ts', title: 'an answer that is earlier than the body' },
  },
  {
    rule: 'the pages of operators are not shown to a page of a stranger',
    file: 'src/runtime/composition/ops-handlers.ts',
    from: 'isRebound(request, known)',
    to: 'known.length < 0',
    test: { file: 'src/runtime/composition/ops-service.test.ts', title: 'are not shown to a page of a stranger' },
  },
  {
    rule: 'A50: no header of a shown event has a secret of its source',
    file: 'src/control/reports/shown-event.ts',
    from: "text.replaceAll(secret, '***')",
    to: 'text',
    test: { file: 'src/api/events-of-source.test.ts', title: 'without a secret of the source' },
  },
  {
    rule: 'A50: an answer of events is bounded in bytes',
    file: 'src/control/reports/kept-events.ts',
    from: ' || bytes > limits.shownEventsBytes',
    to: '',
    test: { file: 'src/control/reports/kept-events.prop.test.ts', title: 'too long together' },
  },
  {
    rule: 'A50: what an answer has no room for is in the next one',
    file: 'src/control/reports/read-events.ts',
    from: 'Math.min(next[partition] ?? offset, offset)',
    to: 'next[partition] ?? offset',
    test: { file: 'src/api/events-of-source.test.ts', title: 'the last events of all partitions' },
  },
  {
    rule: 'A50: a position behind the end of the log is refused',
    file: 'src/adapters/lmdb/event-log.ts',
    from: 'from <= end ? batch',
    to: 'from >= 0 ? batch',
    test: { file: 'src/api/events-of-source.test.ts', title: 'behind the end of the log is refused' },
  },
  {
    rule: 'A29: a secret that a proxy wrote into a header is not kept',
    file: 'src/events/client-headers.ts',
    from: 'value.includes(secret)',
    to: 'value === secret',
    test: { file: 'src/events/client-headers.test.ts', title: 'a secret of a source stands in no header' },
  },
  {
    rule: 'D8: the extent of a body is looked at before anything reads it',
    file: 'src/api/http/read-body.ts',
    from: 'checkExtent(bytes);',
    to: '',
    test: { file: 'src/api/hostile-input.test.ts', title: 'of more values than any endpoint has use for' },
  },
  {
    rule: 'A50: at least the last event of a partition is shown, however many markers lie behind it',
    file: 'src/control/reports/read-events.ts',
    from: 'return isEmpty && short !== undefined ? readOn(log, { at, short, count, stableEnd }, options) : batch;',
    to: 'return isEmpty ? batch : batch;',
    test: { file: 'src/api/events-of-source.kafka.test.ts', title: 'without markers and what was aborted' },
  },
  {
    rule: 'D8: different keys of a body of the API are counted, and the same one once',
    file: 'src/api/http/check-extent.ts',
    from: 'if (seen[place] === 1) return false;',
    to: '',
    test: { file: 'src/api/http/check-extent.prop.test.ts', title: 'D8: a body may have 5,000 different keys' },
  },
];
