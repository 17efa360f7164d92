import type { Mutation } from './mutation.ts';

const runner = 'src/control/tasks/task-runner.ts';

/** What the runner of operations promises to who waits for a task. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'an object is free before its task is seen to have ended',
    file: runner,
    from: `      await this.#look(spec);
      release();
`,
    to: '',
    test: {
      file: 'src/control/tasks/task-runner.test.ts',
      title: 'an object is free before its task is seen to have ended in success',
    },
  },
];
