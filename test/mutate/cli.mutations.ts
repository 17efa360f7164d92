import type { Mutation } from './mutation.ts';

/** What the command line does with what nobody may lose or double. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'D1: what may have been stored is not sent again by itself',
    file: 'src/cli/send/post-body.ts',
    from: "sent.kind !== 'accepted' && doubles",
    to: "sent.kind !== 'accepted'",
    test: { file: 'src/cli/send/send-commands.test.ts', title: 'sends again what was certainly not stored' },
  },
  {
    rule: 'D1: a server error of somebody else does not say that nothing was stored',
    file: 'src/cli/send/read-refusal.ts',
    from: '!isOurs && (status === 408 || status >= 500)',
    to: 'false',
    test: { file: 'src/cli/send/read-refusal.test.ts', title: 'is of a proxy, which does not know' },
  },
];
