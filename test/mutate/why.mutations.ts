import type { Mutation } from './mutation.ts';

const test = (title: string) => ({ file: 'src/control/reports/why/why-incarnation.test.ts', title });

/** Why rows are not in the table yet: nothing is made up, and nothing is promised that does not come. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'W1: while the ends are not known nothing is called delivered',
    file: 'src/control/reports/why/why-incarnation.ts',
    from: "const delivered = 'unknown' in ends ? undefined : isDelivered(progress, ends);",
    to: "const delivered = 'unknown' in ends ? true : isDelivered(progress, ends);",
    test: test('is not made up while the log does not answer'),
  },
  {
    rule: 'W1: what the table store does not witness is not called in the table',
    file: 'src/control/reports/why/why-incarnation.ts',
    from: 'if (!isProven)',
    to: 'if (!isProven && dead > now)',
    test: test('D4: what it does not witness is not called in the table'),
  },
  {
    rule: 'W1: what was given up is named beside the verdict',
    file: 'src/control/reports/why/why-incarnation.ts',
    from: 'if (dead + filtered + holes + givenUp === 0)',
    to: 'if (dead + filtered === 0)',
    test: test('names what is accounted for and in no table, and what is lost is never called delivered to it'),
  },
  {
    rule: 'W2: what nobody can read does not wait for the mapping',
    file: 'src/control/reports/why/why-in-log.ts',
    from: 'unmapped: wanted(from, end - 1) - behind,',
    to: 'unmapped: wanted(from, end - 1),',
    test: test('tells the events behind an open transaction of another producer'),
  },
  {
    rule: 'W2: without an answer of the topic nothing is called unmapped',
    file: 'src/control/reports/why/why-in-log.ts',
    from: 'if (to === undefined && wanted(source, end - 1) > 0)',
    to: 'if (to === undefined && wanted(source, end - 1) > 99)',
    test: test('without an answer of the topic does not say what is mapped'),
  },
  {
    rule: 'W3: no trigger is promised while importing fails',
    file: 'src/control/reports/why/why-in-staging.ts',
    from: "if (importStatus(statuses, progress, 'staged') !== undefined)",
    to: "if (importStatus(statuses, progress, 'parked') !== undefined)",
    test: test('D6: names what failed and when it is tried again, and no trigger beside it'),
  },
  {
    rule: 'W3: a try that was due is not promised again',
    file: 'src/control/reports/why/why-failing.ts',
    from: 'const next = isOld(status, now)',
    to: 'const next = isOld(status, 0)',
    test: test('a try that should be over is not promised again'),
  },
];
