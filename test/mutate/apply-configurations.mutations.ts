import type { Mutation } from './mutation.ts';

const test = (title: string) => ({ file: 'src/cli/apply/apply-configurations.test.ts', title });

/** Configurations in files: nothing is changed twice, no secret is shown, nothing is deleted that nobody asked to delete. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'F4: a secret that is stored stays until somebody says otherwise',
    file: 'src/cli/apply/declared-secrets.ts',
    from: 'if (isStored && !anew) return [kept, kept];',
    to: 'if (isStored && anew) return [kept, kept];',
    test: test('changes what differs, keeps a secret that is stored, and sets it anew when it is told to'),
  },
  {
    rule: 'F4: an element of a list that moved keeps its own secret',
    file: 'src/cli/apply/declared-secrets.ts',
    from: 'return moved.map((found, index) => found ?? take(index));',
    to: 'return moved.map((_, index) => stored[index]);',
    test: test('an element of a list that moved keeps its own secret, and a new one takes none of another'),
  },
  {
    rule: 'F2: a row stands where the file has it',
    file: 'src/cli/apply/configuration-plan.ts',
    from: '  if (isOrdered) return [];',
    to: '  return [];',
    test: test('puts rows into the order of the file'),
  },
  {
    rule: 'F4: a secret of the environment is not shown',
    file: 'src/cli/apply/declared-secrets.ts',
    from: "return [value ?? '', `(of ${env})`];",
    to: "return [value ?? '', value ?? ''];",
    test: test(
      'makes configurations with rows, values and schedules, shows no secret, and the second time changes nothing',
    ),
  },
  {
    rule: 'F4: without its secret a configuration is left as it is',
    file: 'src/cli/apply/configuration-plan.ts',
    from: 'if (missing.length > 0) return',
    to: 'if (missing.length > 9) return',
    test: test('without the variable of a new secret it leaves the configuration, says why, and does the rest'),
  },
  {
    rule: 'F3: what is in no file stays unless it is to be deleted',
    file: 'src/cli/apply/configuration-plan.ts',
    from: "steps: prune ? [{ kind: 'deletePart', object }] : [],",
    to: "steps: [{ kind: 'deletePart', object }],",
    test: test('deletes configurations, rows and schedules of no file only when it is asked to, and never sources'),
  },
];
