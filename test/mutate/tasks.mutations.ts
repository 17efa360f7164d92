import type { Mutation } from './mutation.ts';

const runner = 'src/control/tasks/task-runner.ts';

/** What the runner of operations promises to who waits for a task, and what is looked at beside operations. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'A49: after an unclear answer it is looked up whether a table was changed',
    file: 'src/control/operations/unless-done.ts',
    from: 'if (!(await isDone().catch(() => false))) throw thrown;',
    to: 'throw thrown;',
    test: {
      file: 'src/control/table-crash.test.ts',
      title: 'with each answer lost once, it is looked up what happened',
    },
  },
  {
    rule: 'A49: a table that is gone is deleted, whatever becomes of its bucket',
    file: 'src/control/operations/change-table.ts',
    from: 'if (options.signal.aborted) throw thrown;',
    to: 'throw thrown;',
    test: {
      file: 'src/control/table-crash.test.ts',
      title: 'with each answer lost once, it is looked up what happened',
    },
  },
  {
    rule: 'A49: what an open sink took for a table that it has left waits for it before it is staged',
    file: 'src/control/operations/waiting-rows.ts',
    from: 'const oldest = ends === undefined ? 0 : oldestUntaken(progress, ends);',
    to: 'const oldest = progress.open || ends === undefined ? undefined : oldestUntaken(progress, ends);',
    test: { file: 'src/control/table-dependents.test.ts', title: 'keeps its columns, and the refusal names the sink' },
  },
  {
    rule: 'A49: what a closed sink took before it left a table waits for that table',
    file: 'src/control/operations/waiting-rows.ts',
    from: 'const untaken = usedVersions(all, mappingVersion).filter(',
    to: 'const untaken = (open ? usedVersions(all, mappingVersion) : [mappingVersion]).filter(',
    test: { file: 'src/control/table-dependents.test.ts', title: 'a sink that was deleted after it had left is named' },
  },
  {
    rule: 'A49: a partition whose last outcome is of the later mapping has none of the earlier left',
    file: 'src/core/progress/oldest-untaken.ts',
    from: 'progress.mappedWith?.[partition] ?? 0',
    to: '0',
    test: { file: 'src/control/table-dependents.test.ts', title: 'a later event of each partition is known' },
  },
  {
    rule: 'A49: a seal without rows notes the mapping of its outcomes, too',
    file: 'src/stages/stage/standing.ts',
    from: 'this.#mappedWith = this.#header.mappingVersion;',
    to: "if (this.#header.kind === 'row') this.#mappedWith = this.#header.mappingVersion;",
    test: { file: 'src/stages/stage/standing.test.ts', title: 'of a run without rows too' },
  },
  {
    rule: 'A49: the columns of a table stay while another sink needs them',
    file: 'src/control/operations/alter-table.ts',
    from: 'if (inTheWay.sinks.length + inTheWay.waiting.length > 0) {',
    to: 'if (inTheWay.waiting.length > 0) {',
    test: { file: 'src/control/table-changes.test.ts', title: 'is refused while another sink needs the columns' },
  },
  {
    rule: 'A49: an update that changed the columns of its table is completed after a crash',
    file: 'src/control/operations/alter-table.ts',
    from: 'return changeProgressMapping(parts, { incarnation, version }, options);',
    to: 'return;',
    test: { file: 'src/control/crash.test.ts', title: 'change the columns of a table, stopped at each write' },
  },
  {
    rule: 'A49: a table is not deleted while a sink fills it',
    file: 'src/control/operations/change-table.ts',
    from: 'if (filling.length + waiting.length > 0) fail(',
    to: 'if (waiting.length > 0) fail(',
    test: { file: 'src/control/table-changes.test.ts', title: 'not while a sink fills it, unless it is told so' },
  },
  {
    rule: 'a token keeps the right on a bucket that its sink has left while anything accepted before may wait for it',
    file: 'src/control/operations/sink-token-rights.ts',
    from: 'else if (isDelivered(progress, ends)) {',
    to: 'else if (ends.size > 0 || isDelivered(progress, ends)) {',
    test: {
      file: 'src/control/sink-token-rights.test.ts',
      title: 'K4: the right on a bucket that a sink has left goes when nothing can wait for it any more',
    },
  },
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
