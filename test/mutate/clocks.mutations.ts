import type { Mutation } from './mutation.ts';

const clocks = (title: string) => ({ file: 'src/stages/work/clocks.test.ts', title });
const workforce = (title: string) => ({ file: 'src/core/workforce.test.ts', title });
const inOrder = { file: 'src/core/jobs/end-job.test.ts', title: 'begins no sooner than it was made' };

/** Jobs where clocks are off: nothing is begun anew, ended or removed for it. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'J14: a job begins no sooner than it was made',
    file: 'src/core/jobs/take-job.ts',
    from: 'startedAt: notBefore(job.created.at, at)',
    to: 'startedAt: at',
    test: inOrder,
  },
  {
    rule: 'J14: a job ends no sooner than it began',
    file: 'src/core/jobs/end-job.ts',
    from: 'endedAt: notBefore(job.run.startedAt, at)',
    to: 'endedAt: at',
    test: clocks('ms and dies is followed by one that is off'),
  },
  {
    rule: 'J14: the lines of a log are in their order, whichever clocks gave them',
    file: 'src/documents/job-log.ts',
    from: 'Math.max(now, this.#lastMs + 1)',
    to: 'now',
    test: clocks('ms and dies is followed by one that is off'),
  },
  {
    rule: 'J14: who says something new is there, whatever time it says',
    file: 'src/core/workforce.ts',
    from: 'return isLater ? Math.min(ago, monotonic - since) : ago;',
    to: 'return ago;',
    test: workforce('makes nobody seem gone'),
  },
  {
    rule: 'J14: who says nothing any more is gone, whatever time it said',
    file: 'src/core/workforce.ts',
    from: '      if (ago < -workerGoneMs) return monotonic - since;\n',
    to: '',
    test: workforce('and nobody stay'),
  },
  {
    rule: 'J14: a time in Retry-After is by the clock of who answered',
    file: 'src/extractor/requests/retries.ts',
    from: 'return Math.abs(said - now) <= likelyDifferenceMs ? said : now;',
    to: 'return now;',
    test: { file: 'src/extractor/requests/retries.test.ts', title: 'is by the clock of who answered' },
  },
  {
    rule: 'J14: an old answer says nothing of the time',
    file: 'src/extractor/requests/retries.ts',
    from: '<= likelyDifferenceMs ? said : now',
    to: '>= 0 ? said : now',
    test: { file: 'src/extractor/requests/retries.test.ts', title: 'or one that cannot be' },
  },
  {
    rule: 'J14: a state from the future is warned of',
    file: 'src/extractor/open-run.ts',
    from: '> currentStart) log.warning(',
    to: '< 0) log.warning(',
    test: clocks('leaves a state that the next run warns of'),
  },
  {
    rule: 'J14: a clock in doubt removes no job',
    file: 'src/control/control.ts',
    from: 'isClockTrusted: time.isTrusted',
    to: 'isClockTrusted: true',
    test: { file: 'src/control/jobs.test.ts', title: 'while the clock has just jumped' },
  },
];
