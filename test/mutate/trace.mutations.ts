import type { Mutation } from './mutation.ts';

const inApi = (title: string) => ({ file: 'src/api/trace.test.ts', title });
const inIntervals = (title: string) => ({ file: 'src/core/progress/passed-intervals.test.ts', title });

/** Where an event is: found within bounds, never called missing by less than was read, and nothing is guessed. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'W4: an id is looked for around its time',
    file: 'src/control/reports/trace/log-ranges.ts',
    from: '{ since: madeAt - nearMs, until: madeAt + nearMs },',
    to: '{ since: madeAt + nearMs, until: madeAt + nearMs },',
    test: inApi('W4: by the id that ingest made, where its time says that it lies, and nowhere else'),
  },
  {
    rule: 'W4: a column alone decides',
    file: 'src/control/trials/run-outcomes.ts',
    from: 'if (columns.length > 0) return { ...mapping, columns };',
    to: "if (columns.length > 0) return { ...mapping, columns: [{ type: 'body', name: 'x' }, ...columns] };",
    test: inApi('W4: by place, by arrival, and by the value of a mapped column, whatever becomes of other columns'),
  },
  {
    rule: 'W5: a call reads so much',
    file: 'src/control/reports/trace/search-log.ts',
    from: 'if (records > 0 && isSpent()) break;',
    to: 'if (records < 0 && isSpent()) break;',
    test: inApi(
      'W5, D8: a call reads so much, and the next one goes on where it ended, until everything was read once',
    ),
  },
  {
    rule: 'W5: the next call goes on behind the last event that was shown',
    file: 'src/control/reports/trace/search-log.ts',
    from: 'next = one.of.offset + 1;',
    to: 'next = batch.next;',
    test: inApi('W5: of many events that are meant an answer has some, and the next ones have the others, each once'),
  },
  {
    rule: 'W5: what was not read whole is not called missing',
    file: 'src/control/reports/trace/trace-verdict.ts',
    from: 'if (!isDone) return',
    to: 'if (!isDone && records < 0) return',
    test: inApi(
      'W5, D8: a call reads so much, and the next one goes on where it ended, until everything was read once',
    ),
  },
  {
    rule: 'W6: a sink keeps the intervals that it has passed',
    file: 'src/core/progress/seal.ts',
    from: '...withPassed(progress, { partition, forgotten }),',
    to: '...withPassed(progress, { partition, forgotten: forgotten.slice(1) }),',
    test: inIntervals(
      'W6: a sink knows which offsets it wanted after it has passed them, however often it was switched',
    ),
  },
  {
    rule: 'W6: intervals that nobody kept make the rest unknown',
    file: 'src/core/progress/passed-intervals.ts',
    from: 'return isInside || isWhole ? isInside : undefined;',
    to: 'return isInside;',
    test: inIntervals('W6: intervals that were passed before releases kept them make the rest unknown, not unwanted'),
  },
  {
    rule: 'W6: what its mapping refused is no row',
    file: 'src/control/reports/trace/trace-counted.ts',
    from: "if (tried?.kind === 'dead') return wasDead(tried, { letter, table, found });",
    to: '',
    test: inApi('W6: in staging, with its slice and what its mapping makes of it; then in the import that loaded it'),
  },
];
