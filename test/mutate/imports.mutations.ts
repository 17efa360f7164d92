import type { Mutation } from './mutation.ts';

const importing = 'src/core/progress/import.ts';
const parked = 'src/core/progress/parked.ts';
const lasting = 'src/core/progress/lasting-failure.ts';
const watch = 'src/core/progress/failure-watch.ts';

/** What becomes of slices that cannot be imported, and of an incarnation at its end. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'rows of former columns follow the changes of their table',
    file: 'src/stages/import/table-fit.ts',
    from: 'return { placed };',
    to: 'return mismatch === undefined ? {} : { misfit: mismatch };',
    test: {
      file: 'src/stages/import/altered-tables.test.ts',
      title: 'are loaded into it once, each cell at its place',
    },
  },
  {
    rule: 'a mapping that was never used says nothing of the columns',
    file: 'src/core/used-versions.ts',
    from: 'version = follows.get(version) ?? version - 1',
    to: 'version -= 1',
    test: { file: 'src/stages/import/table-fit.test.ts', title: 'a mapping that was never used says nothing' },
  },
  {
    rule: 'an import looks again at a table whose columns changed under it',
    file: 'src/stages/import/run-import.ts',
    from: "if (MillraceError.fromUnknown(thrown).code !== 'table.schemaMismatch') throw thrown;",
    to: 'throw thrown;',
    test: {
      file: 'src/stages/import/altered-tables.test.ts',
      title: 'are loaded into it while its mapping is about to be used',
    },
  },
  {
    rule: 'rows are found not to fit only by the mapping in use before and after the look at their table',
    file: 'src/stages/import/table-fit.ts',
    from: 'if (now === inUse) return fit;',
    to: 'if (now >= inUse) return fit;',
    test: {
      file: 'src/stages/import/altered-tables.test.ts',
      title: 'A49: are loaded while they change twice',
    },
  },
  {
    rule: 'an import looks again as often as the columns change under it',
    file: 'src/stages/import/run-import.ts',
    from: 'if (isDeepStrictEqual(asked.placed, refused)) throw thrown;',
    to: 'if (refused !== undefined || isDeepStrictEqual(asked.placed, refused)) throw thrown;',
    test: {
      file: 'src/stages/import/altered-tables.test.ts',
      title: 'A49: are loaded when they change again behind the look',
    },
  },
  {
    rule: 'an import that was given up is tried by halves, and the document says so',
    file: importing,
    from: 'Math.ceil(importing.slices.length / 2)',
    to: 'importing.slices.length',
    test: {
      file: 'src/stages/import/damaged-slices.test.ts',
      title: 'D6: is sought by halves, which a process that is killed on the way does not begin anew',
    },
  },
  {
    rule: 'slices of an import that was given up go apart from others',
    file: importing,
    from: '|| slice.together !== together',
    to: '',
    test: {
      file: 'src/core/progress/parked.test.ts',
      title: 'D6: is tried again by halves, down to single slices, in order and apart from what is staged after it',
    },
  },
  {
    rule: 'only a slice that failed alone is parked for its content',
    file: 'src/stages/import/sink-importer.ts',
    from: 'if (only !== undefined && slices.length === 1)',
    to: 'if (only !== undefined)',
    test: {
      file: 'src/stages/import/damaged-slices.test.ts',
      title: 'D6: of five staged slices, one truncated, four are loaded, and one is parked with an alarm',
    },
  },
  {
    rule: 'a damaged slice does not come back with those that wait for their table',
    file: parked,
    from: 'slice.mappingVersion === mappingVersion && slice.damage === undefined',
    to: 'slice.mappingVersion === mappingVersion',
    test: {
      file: 'src/core/progress/parked.test.ts',
      title: 'D6: does not come back with those that were parked for their table, nor the other way round',
    },
  },
  {
    rule: 'a damaged slice comes back to be imported alone',
    file: parked,
    from: 'staged: [{ ...back, together: 1 }, ...progress.staged]',
    to: 'staged: [back, ...progress.staged]',
    test: {
      file: 'src/core/progress/parked.test.ts',
      title: 'D6: is parked, the others stay in order, and it comes back to be imported alone',
    },
  },
  {
    rule: 'damaged slices are tried again behind what is due otherwise',
    file: 'src/stages/import/damaged-slices.ts',
    from: '!(othersWait && this.#wasTried)',
    to: 'true',
    test: {
      file: 'src/stages/import/damaged-slices.test.ts',
      title: 'D6: several of them wait for their next tries behind what is due otherwise',
    },
  },
  {
    rule: 'giving up needs the time that was proven',
    file: lasting,
    from: ' && failing.provenMs >= forMs',
    to: '',
    test: {
      file: 'src/stages/import/lasting-failures.test.ts',
      title: 'D2: gives nothing up when the clock on the wall jumps eight days',
    },
  },
  {
    rule: 'giving up needs the time on the wall',
    file: lasting,
    from: 'now - failing.since >= forMs && ',
    to: '',
    test: {
      file: 'src/stages/import/lasting-failures.test.ts',
      title: 'D2: that was seen for seven days gives nothing up when the clock on the wall says that it was less',
    },
  },
  {
    rule: 'time in which nobody tried proves nothing',
    file: watch,
    from: '(stepMs <= this.#longestStepMs ? stepMs : 0)',
    to: 'stepMs',
    test: {
      file: 'src/core/progress/failure-watch.prop.test.ts',
      title: 'D2: does not grow over a pause, nor over a clock that jumps',
    },
  },
  {
    rule: 'an importer looks at its clock all the time',
    file: 'src/stages/import/import-service.ts',
    from: '        this.#running.look(now);\n',
    to: '',
    test: { file: 'test/integration/altered-slices.test.ts', title: 'D4: how long a slice fails is counted' },
  },
  {
    rule: 'time in which the process was stopped, in short stops, proves nothing',
    file: 'src/stages/import/lasting-failures.ts',
    from: 'ranMs: running.look(clock.monotonic())',
    to: 'ranMs: (running, clock.monotonic())',
    test: {
      file: 'src/stages/import/lasting-failures.test.ts',
      title: 'D2: gives nothing up when the process was stopped for most of seven days',
    },
  },
  {
    rule: 'what two processes prove at the same time counts once',
    file: watch,
    from: 'const provenMs = seen.provenMs +',
    to: 'const provenMs = failing.provenMs +',
    test: {
      file: 'src/core/progress/failure-watch.prop.test.ts',
      title:
        'D2: is never more than processes ran since the first failure that was seen, whoever restarts, pauses or sets the clock',
    },
  },
  {
    rule: 'another cause begins anew',
    file: watch,
    from: 'failing.code !== code || ',
    to: '',
    test: {
      file: 'src/core/progress/failure-watch.prop.test.ts',
      title: 'D2: begins anew with another cause, and when the clock was set back to before it',
    },
  },
  {
    rule: 'an import that begins ends a failure of the token or the table',
    file: importing,
    from: 'slices: slices.map(withoutHealed)',
    to: 'slices',
    test: {
      file: 'src/core/progress/parked.test.ts',
      title: 'D2: begins anew when an import begins or the table fits, but for damage, which neither heals',
    },
  },
  {
    rule: 'a failure of the whole sink is told before one of a partition',
    file: 'src/stages/status/status-board.ts',
    from: 'heard.get(undefined) ?? ',
    to: '',
    test: {
      file: 'src/stages/status/status-board.test.ts',
      title: 'D6: shows a failure of the whole sink before that of a partition, though it is younger',
    },
  },
  {
    rule: 'what a deleted incarnation has lost rings before its document goes',
    file: 'src/stages/import/last-ring.ts',
    from: 'if (holesOf(progress).ringing === 0) return now;',
    to: 'return now;',
    test: { file: 'test/integration/lost-topics.test.ts', title: 'D2: rings for a day' },
  },
  {
    rule: 'holes that somebody has acknowledged keep no document',
    file: 'src/stages/import/last-ring.ts',
    from: '    if (holesOf(progress).ringing === 0) return now;\n',
    to: '',
    test: { file: 'test/integration/lost-topics.test.ts', title: 'D2, D6: deleted: goes with its alarm' },
  },
  {
    rule: 'D6: an object that cannot be read is sought by halves',
    file: 'src/stages/import/slice-faults.ts',
    from: 'tries >= triesAsItIs || ',
    to: '',
    test: {
      file: 'src/stages/import/damaged-slices.test.ts',
      title: 'D6: of five staged slices, four are loaded, and one waits aside',
    },
  },
  {
    rule: 'D6: a store that is away parks nothing',
    file: 'src/stages/import/slice-faults.ts',
    from: ' && (await this.#storeAnswers(options))',
    to: '',
    test: {
      file: 'src/stages/import/damaged-slices.test.ts',
      title: 'D6: while the whole store is away nothing is parked',
    },
  },
  {
    rule: 'D6: what is too much for the table store at once is tried by halves',
    file: 'src/stages/import/slice-faults.ts',
    from: "      case 'strain':\n        return true;",
    to: "        return true;\n      case 'strain':\n        return false;",
    test: {
      file: 'src/stages/import/damaged-slices.test.ts',
      title: 'D6: is tried by halves, and all of its slices are loaded',
    },
  },
  {
    rule: 'D2: a slice that cannot be read is never given up',
    file: 'src/stages/import/damaged-slices.ts',
    from: "    if (failureKind(error.code) !== 'damage') return after.value;\n",
    to: '',
    test: {
      file: 'src/stages/import/damaged-slices.test.ts',
      title: 'D2, D6: is never given up, because it may be whole',
    },
  },
  {
    rule: 'D6: who leaves a sink takes back what it told of its slices',
    file: 'src/stages/import/sink-importer.ts',
    from: '    this.#damaged.settle({ parked: [] });\n',
    to: '',
    test: { file: 'src/stages/import/damaged-slices.test.ts', title: 'D6: whose sink another process imports for' },
  },
  {
    rule: 'D2: dead letters of this machine are compared while DuckDB reads them',
    file: 'src/adapters/duckdb/import-slices.ts',
    from: 'checkFiles([...rows.unchecked, ...dead.unchecked, ...letters.unchecked], signal)',
    to: 'checkFiles([...rows.unchecked, ...letters.unchecked], signal)',
    test: { file: 'src/adapters/duckdb/table-store.test.ts', title: 'D2: a flipped byte of a dead letter' },
  },
  {
    rule: 'D3: a store that cannot load rows and ledger in one transaction is refused',
    file: 'src/stages/import/supported-ledger.ts',
    from: "atomicity === 'sameTransaction'",
    to: 'atomicity !== undefined',
    test: { file: 'src/stages/import/supported-ledger.test.ts', title: 'D3: a store without transactions over rows' },
  },
  {
    rule: 'D6: a column of the right name that is no text does not match',
    file: 'src/core/table-fault.ts',
    from: ' && fault === undefined);',
    to: ');',
    test: {
      file: 'src/core/table-fault.test.ts',
      title: 'D6: a column that is no text, or anything else that is wrong',
    },
  },
];
