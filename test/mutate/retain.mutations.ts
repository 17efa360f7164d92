import type { Mutation } from './mutation.ts';

/** What goes of topics, and when. */

const needed = 'src/core/progress/needed-offset.test.ts';
const retain = 'src/stages/retain/retain.test.ts';
const retention = 'src/stages/retain/retention.test.ts';
const retired = 'src/stages/retain/retired-topics.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'a sink that has imported needs what it has not staged',
    file: 'src/core/progress/needed-offset.ts',
    from: '    const { intervals, source } = entryOf(progress, partition);\n',
    to: '    if (progress.lastImport !== undefined) continue;\n    const { intervals, source } = entryOf(progress, partition);\n',
    test: { file: needed, title: 'D2: what none of them has staged, before and after imports' },
  },
  {
    rule: 'the sink that is furthest behind decides',
    file: 'src/core/progress/needed-offset.ts',
    from: 'needed = Math.min(needed, nextWanted(intervals, source) ?? end);',
    to: 'needed = nextWanted(intervals, source) ?? end;',
    test: { file: needed, title: 'D2: the one that is furthest behind decides' },
  },
  {
    rule: 'a disabled sink needs what it accepted',
    file: 'src/core/progress/needed-offset.ts',
    from: '    const { intervals, source } = entryOf(progress, partition);\n',
    to: '    if (!progress.open) continue;\n    const { intervals, source } = entryOf(progress, partition);\n',
    test: { file: needed, title: 'D2: a disabled sink needs what it accepted, and nothing more' },
  },
  {
    rule: 'what a sink needs does not go for the interval or the bytes',
    file: 'src/stages/retain/retain.ts',
    from: 'Math.min(needed, Math.max(old, range.first + surplus))',
    to: 'Math.max(youngerThanInterval, range.first + surplus)',
    test: { file: retain, title: 'D2: never removes what a sink needs because of the interval or the bytes' },
  },
  {
    rule: 'a budget that is spent by what sinks need is told',
    file: 'src/stages/retain/retain.ts',
    from: 'isSpent: (range.durableEnd - before) * meanBytes > maxBytes',
    to: 'isSpent: (range.durableEnd - before) * meanBytes > range.bytes',
    test: { file: retain, title: 'D8: says that the budget is spent when what sinks need is larger' },
  },
  {
    rule: 'records that a sink needed and that went are told',
    file: 'src/stages/retain/retention.ts',
    from: 'const lost = answer.before - Math.max(needed, range.first);',
    to: 'const lost = answer.before - Math.max(needed, range.end);',
    test: { file: retention, title: 'D4: counts each record that a sink needed and that went of old age once' },
  },
  {
    rule: 'what a sink may need stays while its document cannot be read',
    file: 'src/stages/retain/retention.ts',
    from: 'const needed = mayNeedAll ? range.first : neededOffset',
    to: 'const needed = neededOffset',
    test: { file: retention, title: 'D2: keeps what its sink may need, also when the bytes are spent' },
  },
  {
    rule: 'a document that does not say which source it is of keeps the records of all',
    file: 'src/stages/retain/unread-documents.ts',
    from: 'topic === undefined || !known.has(topic)',
    to: 'topic === undefined',
    test: { file: retention, title: 'D2: keeps what its sink may need, also when the bytes are spent' },
  },
  {
    rule: 'documents of sinks that cannot be read are told once',
    file: 'src/stages/retain/retention.ts',
    from: '    this.#unreadTold = told;\n',
    to: '',
    test: { file: retention, title: 'D2: keeps what its sink may need, also when the bytes are spent' },
  },
  {
    rule: 'a source whose log was set back takes no events',
    file: 'src/stages/retain/retention.ts',
    from: 'durableEnd < knownEnd(entryOf(progress, partition))',
    to: 'durableEnd < Math.min(0, knownEnd(entryOf(progress, partition)))',
    test: { file: retention, title: 'D3: a source whose log was set back takes no events' },
  },
  {
    rule: 'the topic of a deleted source stays while a sink refers to it',
    file: 'src/stages/retain/retired-topics.ts',
    from: 'if (documents.some(({ topics }) => topics.source === topic.name)) return;',
    to: 'if (documents.length < 0) return;',
    test: { file: retired, title: 'D2: a sink that this process has not heard of yet keeps the topic' },
  },
  {
    rule: 'a topic that was made anew under the name of an old one is not removed',
    file: 'src/stages/retain/retired-topics.ts',
    from: 'if (there?.identity === topic.identity) {',
    to: 'if (there !== undefined) {',
    test: { file: retired, title: 'a topic that was made anew under the name of an old one is not removed' },
  },
  {
    rule: 'a doubt of the clock is kept at once',
    file: 'src/stages/retain/proven-ages.ts',
    from: 'const isDoubtKept = time.stored.doubtedUntilMs === this.#stored.doubtedUntilMs;',
    to: 'const isDoubtKept = true;',
    test: {
      file: retention,
      title:
        'D2: one that is set ahead is in doubt at once also in the process that takes the place of one that is killed',
    },
  },
];
