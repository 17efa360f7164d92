import type { Mutation } from './mutation.ts';

const limits = 'src/runtime/composition/heap-limits.ts';
const limitsTest = 'src/runtime/composition/heap-limits.test.ts';

/** What bounds the memory of a process. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'a thread of a role has the heap of its role',
    file: 'src/runtime/composition/thread-service.ts',
    from: 'resourceLimits: heapLimitsOf(this.#spec.role)',
    to: 'resourceLimits: {}',
    test: { file: limitsTest, title: 'a thread of the role stage has the heap of its role' },
  },
  {
    rule: 'a heap collects before it has grown to four times',
    file: limits,
    from: 'const belowTwice = 2000;',
    to: 'const belowTwice = 2048;',
    test: { file: limitsTest, title: 'a thread collects before its heap has grown to four times' },
  },
  {
    rule: 'a heap takes no more than the machine gives it',
    file: limits,
    from: 'Math.min(old, usual)',
    to: 'old',
    test: { file: limitsTest, title: 'on a machine of any size' },
  },
  {
    rule: 'young generations are those of the threads, not of the option of the process',
    file: limits,
    from: "setFlagsFromString('--max-semi-space-size=0');",
    to: '',
    test: { file: limitsTest, title: 'the young generation of a stage is its own' },
  },
];
