import type { Mutation } from './mutation.ts';

const random = {
  file: 'src/core/jobs/jobs.prop.test.ts',
  title: 'ended is final, attempts only grow, a configuration has one running job, and every job comes to its end',
};
const turns = (title: string) => ({ file: 'src/core/jobs/job-turns.test.ts', title });

/** One run of a job at a time, one job of a configuration at a time, and turns that let everybody in. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'J3: a run that lost its job does not end it',
    file: 'src/core/jobs/end-job.ts',
    from: '  if (!isRunOf(job, run)) return undefined;',
    to: "  if (job.phase !== 'running') return undefined;",
    test: random,
  },
  {
    rule: 'J3: runs of one owner are told apart by their numbers',
    file: 'src/core/jobs/end-job.ts',
    from: 'job.run.attempt === attempt && job.run.owner === owner',
    to: 'job.run.owner === owner',
    test: {
      file: 'src/core/jobs/end-job.test.ts',
      title: 'a run of the same process that it does not know of is another run',
    },
  },
  {
    rule: 'J3: a job whose process dies again and again comes to its end',
    file: 'src/core/jobs/take-job.ts',
    from: 'if (attempt >= limits.jobAttempts)',
    to: 'if (attempt > limits.jobAttempts)',
    test: random,
  },
  {
    rule: 'J4: one job of a configuration runs at a time',
    file: 'src/core/jobs/job-turns.ts',
    from: 'order.filter((key) => !busyKeys.has(key)).slice(',
    to: 'order.slice(',
    test: turns('the jobs of one configuration run one at a time, in the order of their numbers'),
  },
  {
    rule: 'J4: a job that has run before goes before the others of its configuration',
    file: 'src/core/jobs/job-turns.ts',
    from: 'return begun === 0 ?',
    to: 'return begun <= 1 ?',
    test: turns('a job whose process died goes before the others of its configuration'),
  },
  {
    rule: 'J4: many jobs of one configuration starve nobody',
    file: 'src/core/jobs/job-turns.ts',
    from: 'const order = [...known, ...met.map(([key]) => key)];',
    to: 'const order = [...heads].toSorted(([, one], [, other]) => inOrder(one, other)).map(([key]) => key);',
    test: turns(
      'a configuration whose job has begun goes to the end of the queue, so that many jobs of one starve nobody',
    ),
  },
];
