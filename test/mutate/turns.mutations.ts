import type { Mutation } from './mutation.ts';

const turns = 'src/stages/import/turns.ts';
const earlier = 'src/core/earlier-interval.ts';

/** Who imports first when more is due than can be done at once. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'lateness is measured against the time that it takes to become due',
    file: turns,
    from: '/ Math.max(leastWaitMs, ordinaryMs)',
    to: '',
    test: {
      file: 'src/stages/import/turns.test.ts',
      title: 'D5: a sink that fills up within seconds waits for seconds beside 200 small ones that are due together',
    },
  },
  {
    rule: 'the latest goes first',
    file: turns,
    from: 'of(b) - of(a)',
    to: 'of(a) - of(b)',
    test: { file: 'src/stages/import/turns.test.ts', title: 'D5: none starves while more is due than can be done' },
  },
  {
    rule: 'each sink is due a little earlier by another share of its interval',
    file: earlier,
    from: '((incarnation * ratio) % 1)',
    to: '0',
    test: {
      file: 'src/core/earlier-interval.test.ts',
      title: 'D5: sinks of one interval are due one after the other, none later than the interval',
    },
  },
  {
    rule: 'no interval is longer than it was promised',
    file: earlier,
    from: 'intervalMs - Math.min',
    to: 'intervalMs + Math.min',
    test: {
      file: 'src/core/earlier-interval.test.ts',
      title: 'D5: sinks of one interval are due one after the other, none later than the interval',
    },
  },
  {
    rule: 'who waited for the trials of others is told so',
    file: 'src/runtime/trials/trial-thread.ts',
    from: 'mustWait && isLate(thrown)',
    to: 'false',
    test: { file: 'src/runtime/trials/trial-thread.test.ts', title: 'whose time is over while others run' },
  },
  {
    rule: 'a trial that leaves while it waits lets nobody run before its turn',
    file: 'src/runtime/trials/trial-thread.ts',
    from: 'void before.then(() => over.resolve());',
    to: 'over.resolve();',
    test: { file: 'src/runtime/trials/trial-thread.test.ts', title: 'who leaves while it waits lets nobody run' },
  },
  {
    rule: 'who is refused connections is told which variable changes that',
    file: 'src/telemetry/observe-ingest.ts',
    from: '{ counted, advice } = limitsOfConnections[reason]',
    to: '{ counted, advice } = limitsOfConnections.addressLimit',
    test: { file: 'src/telemetry/business-events.test.ts', title: 'says that connections are refused' },
  },
];
