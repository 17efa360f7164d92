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
];
