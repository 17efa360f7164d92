import type { Mutation } from './mutation.ts';

const numbers = 'src/core/accounts/sink-numbers.test.ts';
const samples = 'src/core/accounts/samples.prop.test.ts';
const gaps = 'src/core/accounts/gaps.prop.test.ts';
const sampler = 'src/control/samples/sampler.test.ts';
const store = 'src/control/samples/sample-store.prop.test.ts';
const verdict = 'src/core/accounts/verdict.test.ts';
const model = 'src/core/progress/sink-progress.prop.test.ts';
const pages = 'src/cli/report/page/pages.test.ts';

/** What keeps the report of conservation honest. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'N1: dead letters are one of the numbers that must add up',
    file: 'src/core/accounts/sink-numbers.ts',
    from: ' + filtered + dead + holes',
    to: ' + filtered + holes',
    test: { file: numbers, title: 'N1: each event stands in exactly one number' },
  },
  {
    rule: 'N1: an offset that holds no event is accepted by nobody',
    file: 'src/core/accounts/sink-numbers.ts',
    from: 'accepted: accepted - none,',
    to: 'accepted,',
    test: { file: numbers, title: 'N1: each event stands in exactly one number' },
  },
  {
    rule: 'N1: a source has accepted what the log acknowledged, not what it still holds',
    file: 'src/control/samples/counted-sinks.ts',
    from: 'acknowledged?.get(partition) ?? end',
    to: '(acknowledged?.get(partition) ?? end) - 5',
    test: { file: sampler, title: 'N1: a source has accepted what the log acknowledged' },
  },
  {
    rule: 'N2: what was accepted is what all intervals ever held',
    file: 'src/core/progress/seal.ts',
    from: '        passed: totals.passed + passed,\n        filtered: totals.filtered + change.filtered,',
    to: '        passed: totals.passed + passed - change.filtered,\n        filtered: totals.filtered,',
    test: { file: model, title: 'D2, D3, D4: crashes, zombies' },
  },
  {
    rule: 'N2: a partition that came after the ends were read is counted',
    file: 'src/core/accounts/sink-numbers.ts',
    from: 'if (!ends.has(partition)) ends.set(',
    to: 'if (ends.size === 0) ends.set(',
    test: { file: numbers, title: 'N2: ends that lie below' },
  },
  {
    rule: 'N2: a deleted incarnation ends where its intervals end',
    file: 'src/core/accounts/sink-numbers.ts',
    from: 'progress.deleted ? closedEnds(progress) : durable',
    to: 'progress.deleted ? durable : durable',
    test: { file: numbers, title: 'N2: a deleted incarnation wants' },
  },
  {
    rule: 'N3: a sample of a sink stands at its own time',
    file: 'src/core/accounts/samples.ts',
    from: 'return [...runs, index - length, 1];',
    to: 'return [...runs, 0, 1];',
    test: { file: samples, title: 'N3: a block gives back exactly' },
  },
  {
    rule: 'N3: a number that was 0 so far keeps its zeros',
    file: 'src/core/accounts/samples.ts',
    from: 'appendToColumn(zeros(kept), numbers[name])',
    to: "appendToColumn('', numbers[name])",
    test: { file: samples, title: 'N3: a block gives back exactly' },
  },
  {
    rule: 'N4: a minute without a sample is a gap',
    file: 'src/core/accounts/gaps.ts',
    from: '    add(Math.min(step, end));\n',
    to: '',
    test: { file: gaps, title: 'N4: every step of a time' },
  },
  {
    rule: 'N4: a sink whose topic is not known has no sample',
    file: 'src/control/samples/counted-sinks.ts',
    from: 'numbers: durable && countSink(progress, durable)',
    to: 'numbers: countSink(progress, durable ?? new Map())',
    test: { file: sampler, title: 'N4: a sink whose topic cannot be read' },
  },
  {
    rule: 'N5: an hour has a sample',
    file: 'src/control/samples/sampler.ts',
    from: "    await this.#store.append('hour', { at, sinks }, { signal });\n",
    to: '',
    test: { file: sampler, title: 'N5: an hour has a sample' },
  },
  {
    rule: 'N6: old blocks go',
    file: 'src/control/samples/sampler.ts',
    from: '    await this.#store.removeOld(options);\n',
    to: '',
    test: { file: sampler, title: 'N6: what is kept is bounded' },
  },
  {
    rule: 'N6: a block that has lost its samples is none',
    file: 'src/control/samples/sample-store.ts',
    from: "if (left?.value.at === '')",
    to: "if (left?.value.at === 'x')",
    test: { file: store, title: 'N6: whatever is sampled and forgotten' },
  },
  {
    rule: 'N6: a clock that was ahead leaves nothing behind in the block of now',
    file: 'src/control/samples/sample-store.ts',
    from: 'else if ((block + 1) * blockMs > at)',
    to: 'else if (block * blockMs > at)',
    test: { file: store, title: 'N6: whatever is sampled and forgotten' },
  },
  {
    rule: 'N6: samples do not go back',
    file: 'src/core/accounts/samples.ts',
    from: 'Math.floor(at / stepMs) <= Math.floor(last / stepMs)',
    to: 'Math.floor(at / stepMs) === Math.floor(last / stepMs)',
    test: { file: samples, title: 'N6: samples never go back' },
  },
  {
    rule: 'N6: none is taken while the clock is behind the last one',
    file: 'src/control/samples/sampler.ts',
    from: 'at < this.#last) return this.#wait(',
    to: 'at < 0) return this.#wait(',
    test: { file: sampler, title: 'N6: a clock that jumps ahead' },
  },
  {
    rule: 'N6: a clock that was ahead is not believed for good',
    file: 'src/control/samples/sampler.ts',
    from: 'if (now - since < behindMs) return;',
    to: 'return;',
    test: { file: sampler, title: 'N6: a clock that jumps ahead' },
  },
  {
    rule: 'N6: a jump is told',
    file: 'src/control/samples/sampler.ts',
    from: 'if (jump !== undefined) await this.#tell(jump, { signal });',
    to: '',
    test: { file: sampler, title: 'N6: a clock that jumps ahead' },
  },
  {
    rule: 'N8: a sink that is gone is shown with its last sample',
    file: 'src/control/samples/conservation-report.ts',
    from: 'new Set([...now.keys(), ...kept.sinks.keys()])',
    to: 'new Set(now.keys())',
    test: { file: sampler, title: 'N8: a sink that is gone' },
  },
  {
    rule: 'N9: a table that holds less than is counted is no verdict of all well',
    file: 'src/core/accounts/verdict.ts',
    from: ' || rows !== 0 || dead !== 0;',
    to: ' || (rows !== 0 && rows === dead);',
    test: { file: verdict, title: 'a table that does not hold what is counted' },
  },
  {
    rule: 'N9: what is not known is not well',
    file: 'src/core/accounts/verdict.ts',
    from: 'sink.isKnown && isWitnessed',
    to: 'isWitnessed',
    test: { file: verdict, title: 'what cannot be known is said' },
  },
  {
    rule: 'N9: what the table store does not witness is not well',
    file: 'src/core/accounts/verdict.ts',
    from: 'isWitnessed(sink) && ',
    to: '',
    test: { file: sampler, title: 'N9: what the table store does not witness' },
  },
  {
    rule: 'N9: a table store that is away says nothing of a ledger',
    file: 'src/control/samples/read-witnesses.ts',
    from: "rows === undefined ? { kind: 'away' as const } : ",
    to: "rows === undefined ? { kind: 'uncounted' as const } : ",
    test: { file: sampler, title: 'N9: what the table store does not witness' },
  },
  {
    rule: 'N9: a document that cannot be read is told',
    file: 'src/control/samples/counted-sinks.ts',
    from: '        onUnread?.(id);\n',
    to: '',
    test: { file: sampler, title: 'N9: what the table store does not witness' },
  },
  {
    rule: 'N9: what is lost for good is not well',
    file: 'src/core/accounts/verdict.ts',
    from: ' && sink.numbers.holes === 0 && sink.numbers.givenUp === 0',
    to: '',
    test: { file: verdict, title: 'what is lost for good' },
  },
  {
    rule: 'N10: no line of a chart bridges a gap',
    file: 'src/cli/report/page/chart.ts',
    from: 'return isBroken ? [undefined, point] : [point];',
    to: 'return isBroken ? [point] : [point];',
    test: { file: pages, title: 'a gap breaks the lines' },
  },
  {
    rule: 'N10: a text from outside is text',
    file: 'src/cli/report/page/escaped.ts',
    from: "'<': '&lt;',",
    to: "'<': '<',",
    test: { file: pages, title: 'a text from outside is text' },
  },
];
