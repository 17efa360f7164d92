import type { Mutation } from './mutation.ts';

const flush = 'src/core/progress/flush.ts';
const flushTest = 'src/core/progress/flush.test.ts';
const switches = 'src/core/progress/switch.ts';
const switchTest = 'src/core/progress/switch.test.ts';

/** What is said to be delivered, what a flush asks for, and what a deletion leaves to do. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'what waits in staging is not delivered',
    file: flush,
    from: 'if (waiting.some((slice) => slice.partition === partition && slice.from + 1 < end)) return false;',
    to: ';',
    test: { file: flushTest, title: 'D4: what waits in staging, is parked or is being imported is not delivered' },
  },
  {
    rule: 'what no seal has passed is not delivered',
    file: flush,
    from: 'if (!hasPassed(entryOf(progress, partition), end)) return false;',
    to: ';',
    test: { file: flushTest, title: 'is not delivered, and is told apart from what can be read' },
  },
  {
    rule: 'a flush that is asked for twice takes the higher ends',
    file: flush,
    from: 'Math.max(flush[partition] ?? 0, end)',
    to: 'end',
    test: { file: flushTest, title: 'a flush that is asked for twice takes the higher ends' },
  },
  {
    rule: 'a flush is forgotten when it is served, and not before',
    file: flush,
    from: 'return isDelivered(progress, ends) ? rest :',
    to: 'return ends.size > 0 ? rest :',
    test: { file: flushTest, title: 'a flush is forgotten when it is served, and not before' },
  },
  {
    rule: 'whoever brings a sink back notes the incarnation that was deleted',
    file: 'src/control/operations/prepare-sink.ts',
    from: 'await noteEarlier(parts, before, options);',
    to: ';',
    test: {
      file: 'src/control/earlier-incarnations.test.ts',
      title: 'D4: so it does when it has come back, apart from what it accepts since',
    },
  },
  {
    rule: 'what a deleted sink has imported is noted before its progress goes',
    file: 'src/stages/import/purge.ts',
    from: 'await keepStatistics(catalog, value, options);',
    to: ';',
    test: { file: 'test/e2e/closing.test.ts', title: 'D4: a sink that is deleted and undeleted keeps its statistics' },
  },
  {
    rule: 'a deletion with the tables keeps the tables that were named before',
    file: switches,
    from: '...(closed.dropped ?? []), ...tables',
    to: '...tables',
    test: { file: switchTest, title: 'done again it adds tables, and moves no end' },
  },
  {
    rule: 'a deletion that is done again moves no end',
    file: switches,
    from: 'progress.open || !progress.deleted ? close(progress, ends, { deleted: true }) : progress',
    to: 'close({ ...progress, entries: JSON.parse(JSON.stringify(progress.entries).replaceAll(/"end":[0-9]+/g, \'"end":null\')) }, ends, { deleted: true })',
    test: { file: switchTest, title: 'done again it adds tables, and moves no end' },
  },
  {
    rule: 'a deleted incarnation with slices that wait is not spent',
    file: switches,
    from: 'staged.length > 0 || parked.length > 0)',
    to: 'staged.length > 0)',
    test: { file: switchTest, title: 'it goes when it has passed its ends and holds no slice' },
  },
  {
    rule: 'ends are read after the document that they change, and anew for each of its revisions',
    file: 'src/control/operations/change-progress.ts',
    from: 'transition(before, await endsOf(before))',
    to: 'transition(before, await (arguments[1].ends ??= endsOf(before)))',
    test: { file: 'src/control/ends-that-move.test.ts', title: 'D2, D6: ends are read anew' },
  },
  {
    rule: 'PostgreSQL: an import sees what others committed while it ran',
    file: 'src/adapters/postgres/import-slices.ts',
    from: '`BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL',
    to: '`BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE; SET LOCAL',
    test: {
      file: 'src/adapters/postgres/table-recovery.postgres.test.ts',
      title: 'D3: another one of the same number does not wait for it, and it loads nothing when it goes on',
    },
  },
  {
    rule: 'D6: what a process said that is gone is no reason of a flush',
    file: 'src/control/operations/flush-sink.ts',
    from: ' && !isOld(status, now)',
    to: '',
    test: { file: 'src/control/flush.test.ts', title: 'D6: what a process said that is gone is told as old' },
  },
  {
    rule: 'the opening of a file does not move when its import begins',
    file: 'src/core/progress/import.ts',
    from: 'id, slices: slices.map(withoutHealed), startedAt: at, ...opened }',
    to: 'id, slices: slices.map(withoutHealed), startedAt: at }',
    test: { file: 'src/api/views/file-view.test.ts', title: 'the opening of a file does not move' },
  },
  {
    rule: 'a file whose import was given up is open since it was opened',
    file: 'src/core/progress/import.ts',
    from: 'at: importing.openedAt });',
    to: 'at: undefined });',
    test: { file: 'src/api/views/file-view.test.ts', title: 'the opening of a file does not move' },
  },
  {
    rule: 'what an earlier version of the product imports beside opens the next file',
    file: 'src/core/progress/openings.ts',
    from: 'Math.max(noted, closed)',
    to: 'noted',
    test: {
      file: 'src/api/views/file-view.test.ts',
      title: 'of a document that an earlier version of the product left',
    },
  },
  {
    rule: 'L5: a flush that does not move names what the next step needs, and no other server',
    file: 'src/control/operations/standstill.ts',
    from: "...(inFlight > 0 ? ['map', 'stage'] : [])",
    to: "...['map', 'stage']",
    test: { file: 'src/control/flush-without-servers.test.ts', title: 'which servers are missing for what comes next' },
  },
];
