import type { Mutation } from './mutation.ts';

const runner = 'src/control/tasks/task-runner.ts';

/** What the runner of operations promises to who waits for a task. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'an object is free before its task is seen to have ended',
    file: runner,
    from: `      await this.#look(spec.change);
      release();
`,
    to: '',
    test: {
      file: 'src/control/tasks/task-runner.test.ts',
      title: 'an object is free before its task is seen to have ended in success',
    },
  },
  {
    rule: 'the audit trail looks at what a change made while the object is not free yet',
    file: 'src/control/audit/change.ts',
    from: ', after: this.#after }',
    to: ' }',
    test: {
      file: 'src/control/audit.test.ts',
      title:
        'what an entry says of its object is what stood while its change had it alone, though another change follows at once',
    },
  },
];
