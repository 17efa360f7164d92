import type { Mutation } from './mutation.ts';

/** What the command line does with what nobody may lose or double. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'A49: a plan names who needs the columns of a table',
    file: 'src/cli/apply/table-outcome.ts',
    from: 'if (ground.alterTables && reason === undefined)',
    to: 'if (ground.alterTables)',
    test: {
      file: 'src/cli/apply/table-outcome.test.ts',
      title: 'that needs the columns is named before anything is done',
    },
  },
  {
    rule: 'A49: a plan names sinks that files put to a table',
    file: 'src/cli/apply/make-plan.ts',
    from: 'if (!isKnown) all.set(',
    to: 'if (isKnown) all.set(',
    test: {
      file: 'src/cli/apply/table-outcome.test.ts',
      title: 'a sink that the files put to the table with other columns',
    },
  },
  {
    rule: 'A49: a column of a file that was renamed keeps its cells',
    file: 'src/cli/apply/make-plan.ts',
    from: '...(alter.renamed.length === 0 ? {} : alter)',
    to: '',
    test: { file: 'src/cli/apply/table-outcome.test.ts', title: 'a column with "renamedFrom" keeps its cells' },
  },
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
  {
    rule: 'D9: one port for two listeners is refused before one of them has it',
    file: 'src/cli/start/start.ts',
    from: '  checkPorts(config, topology?.value.roles ?? allRoles);\n',
    to: '',
    test: { file: 'src/cli/start/start.test.ts', title: 'D9: one port for two listeners is refused' },
  },
  {
    rule: 'D9: a listener on every interface takes the port from all others',
    file: 'src/config/same-place.ts',
    from: 'hosts[0] === hosts[1] || hosts.some((host) => everywhere.includes(host))',
    to: 'hosts[0] === hosts[1]',
    test: { file: 'src/cli/start/shared-port.test.ts', title: 'two listeners of one process need two ports' },
  },
  {
    rule: 'what a command advises itself stands in place of the advice of the catalogue',
    file: 'src/cli/run-command-line.ts',
    from: "if (typeof advice === 'string') tell(advice);\n  else if",
    to: 'if',
    test: { file: 'src/cli/health/health.test.ts', title: 'asks a real process' },
  },
  {
    rule: 'a quick start is quick where rows are staged',
    file: 'src/runtime/composition/thread.ts',
    from: ', defaults: defaultsOf(spec) }',
    to: ' }',
    test: { file: 'test/e2e/quick.test.ts', title: 'an event is a row long before' },
  },
  {
    rule: 'a quick start is quick where rows are imported',
    file: 'src/runtime/composition/compose.ts',
    from: '    defaults: defaultsOf(options.config),\n',
    to: '',
    test: { file: 'test/e2e/quick.test.ts', title: 'an event is a row long before' },
  },
  {
    rule: 'what a sink sets wins over a quick start',
    file: 'src/stages/replica/definitions.ts',
    from: 'effectiveSettings(this.#defaults, source, sink)',
    to: 'effectiveSettings(source, sink, this.#defaults)',
    test: { file: 'test/e2e/quick.test.ts', title: 'a sink that sets its triggers keeps them' },
  },
  {
    rule: 'D9: a process of a cluster has no quick start',
    file: 'src/cli/start/start.ts',
    from: 'config.quick && topology !== undefined',
    to: 'false',
    test: { file: 'test/e2e/quick.test.ts', title: 'D9: a process of a cluster refuses it' },
  },
  {
    rule: 'what completes millrace says what npx lacks',
    file: 'src/cli/completion/completion.ts',
    from: "if (program !== 'millrace')",
    to: 'if (false)',
    test: { file: 'src/cli/completion/completion.test.ts', title: 'says what a shell lacks' },
  },
  {
    rule: 'a page is named by where its file is',
    file: 'src/cli/paste/page-paths.ts',
    from: "near.startsWith('..') || isAbsolute(near) ? file : near",
    to: 'near',
    test: { file: 'src/cli/paste/page-paths.test.ts', title: 'a page is named by where its file is' },
  },
];
