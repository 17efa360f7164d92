import type { Mutation } from './mutation.ts';

/** Requests of extractions: nothing inside is asked, nothing goes to others, and no answer is endless. */

const test = 'src/adapters/http-client/http-client.test.ts';
const hostile = 'src/adapters/http-client/hostile-answers.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'E6: an address in a URL is looked at',
    file: 'src/adapters/http-client/connect.ts',
    from: 'isIP(place.name) === 0 ? undefined : faultOf(',
    to: 'isIP(place.name) <= 6 ? undefined : faultOf(',
    test: { file: test, title: 'is not asked by 0x7f000001' },
  },
  {
    rule: 'E6: the addresses of a name are looked at when it is connected to',
    file: 'src/adapters/http-client/connect.ts',
    from: '    if (wrong !== undefined) throw wrong;\n',
    to: '',
    test: { file: test, title: 'what is looked at is what is connected to' },
  },
  {
    rule: 'E6: one inner address of a name is enough to refuse it',
    file: 'src/adapters/http-client/connect.ts',
    from: 'const inner = addresses.find(',
    to: 'const inner = addresses.slice(0, 1).find(',
    test: { file: test, title: 'a public address and another one' },
  },
  {
    rule: 'E6: addresses of IPv4 in a form of IPv6 count as what they are',
    file: 'src/core/public-address.ts',
    from: "['::ffff:0:0/96', '64:ff9b::/96']",
    to: "['64:ff9b::/96']",
    test: { file: 'src/core/public-address.test.ts', title: 'also mapped ones' },
  },
  {
    rule: 'E6: only global addresses of IPv6 are public',
    file: 'src/core/public-address.ts',
    from: 'parsed.match(global) && ',
    to: '',
    test: { file: 'src/core/public-address.test.ts', title: 'segment' },
  },
  {
    rule: 'E6: a rule with a port is for that port',
    file: 'src/core/host-rule.ts',
    from: 'port === undefined || port === asked',
    to: 'port === undefined || asked > 0',
    test: { file: 'src/core/host-rule.test.ts', title: 'at its port alone' },
  },
  {
    rule: 'E6: what identifies the sender stays at its origin',
    file: 'src/adapters/http-client/redirect.ts',
    from: 'return isElsewhere ? harmless.has(plain)',
    to: "return isElsewhere ? plain !== 'authorization'",
    test: { file: test, title: 'without what identifies the sender' },
  },
  {
    rule: 'E6: a body stays at its origin',
    file: 'src/adapters/http-client/redirect.ts',
    from: "isElsewhere && isKept && request.method !== 'GET'",
    to: "isElsewhere && isKept && request.method === 'GET'",
    test: { file: test, title: 'of a body to another origin' },
  },
  {
    rule: 'E6: a redirect leads to http and https alone',
    file: 'src/adapters/http-client/http-client.ts',
    from: "if (found.protocol !== 'http:' && found.protocol !== 'https:')",
    to: "if (found.protocol === 'file:')",
    test: { file: test, title: 'data:text/plain' },
  },
  {
    rule: 'D8: what comes over the line is bounded',
    file: 'src/adapters/http-client/decoded-body.ts',
    from: 'if (bytes > most) throw past();',
    to: 'if (bytes > most) return;',
    test: { file: hostile, title: 'in chunks' },
  },
  {
    rule: 'D8: what is decompressed is bounded at each coding',
    file: 'src/adapters/http-client/decoded-body.ts',
    from: '[constants.ZSTD_d_windowLogMax]: zstdWindowLog',
    to: '[constants.ZSTD_d_windowLogMax]: 31',
    test: { file: hostile, title: 'a window of zstd' },
  },
  {
    rule: 'D8: an exchange that does not end is a timeout',
    file: 'src/adapters/http-client/http-client.ts',
    from: 'ending.abort(late())',
    to: 'ending.abort()',
    test: { file: hostile, title: 'silence' },
  },
  {
    rule: 'D8: headers are counted',
    file: 'src/adapters/http-client/http-client.ts',
    from: 'if (count > limits.headers)',
    to: 'if (count > limits.headerBytes)',
    test: { file: hostile, title: 'many small ones' },
  },
];
