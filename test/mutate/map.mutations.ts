import type { Mutation } from './mutation.ts';

/** Mappers: outcomes without a gap, in order, from the right position. */

const batch = 'src/stages/map/map-batch.test.ts';
const mapper = 'src/stages/map/partition-mapper.test.ts';
const owners = 'test/integration/two-owners.test.ts';
const restored = 'test/integration/restored-stores.test.ts';

const watch = 'src/stages/map/topic-watch.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'A46: what the headers of one record say is not said of another one',
    file: 'src/mapping/envelope.ts',
    from: '      if (headers[at] !== this.#headers[at] && at !== idAt) return false;\n',
    to: '      if (headers[at] !== this.#headers[at] && at % 2 === 0) return false;\n',
    test: { file: 'src/mapping/envelope.prop.test.ts', title: 'A46: a reader of many records says of each' },
  },
  {
    rule: 'events of one sink are garbage when they are mapped',
    file: 'src/stages/map/batch-events.ts',
    from: 'if (this.#isShared && this.#decodedBytes <= keptBytes)',
    to: 'if (this.#decodedBytes <= keptBytes)',
    test: { file: 'src/stages/map/batch-events.test.ts', title: 'what was read of an event is kept for the next sink' },
  },
  {
    rule: 'a path that a body does not have is not found where another body had it',
    file: 'src/mapping/json-scanner.ts',
    from: '    this.#last = undefined;\n',
    to: '',
    test: { file: 'src/mapping/json-scanner.prop.test.ts', title: 'a scan has the paths of its own body' },
  },
  {
    rule: 'many paths of a body are found as few are',
    file: 'src/mapping/json-scan.ts',
    from: 'span !== undefined; span = span.before) index.set',
    to: 'span?.before !== undefined; span = span.before) index.set',
    test: { file: 'src/mapping/json-scanner.prop.test.ts', title: 'a scan has the paths of its own body' },
  },
  {
    rule: 'the length of a line is that of the line alone',
    file: 'src/mapping/line-writer.ts',
    from: 'return this.#length - this.#lineStart;',
    to: 'return this.#length;',
    test: { file: 'src/mapping/line-writer.prop.test.ts', title: 'the length of a line is that of its view' },
  },
  {
    rule: 'the name of a header in the embedded log is that of its record',
    file: 'src/adapters/lmdb/log/stored-headers.ts',
    from: 'if (batch[start + at] !== batch[from + at]) return false;',
    to: 'if (batch[start + at] === undefined) return false;',
    test: {
      file: 'src/adapters/lmdb/log/batch-codec.prop.test.ts',
      title: 'gives each record the name of its first header',
    },
  },
  {
    rule: 'D8: the templates of a row share steps',
    file: 'src/mapping/template-cell.ts',
    from: 'template.evaluate(event, rowSteps)',
    to: 'template.evaluate(event)',
    test: { file: 'src/mapping/render-columns.test.ts', title: 'D8: the templates of a row share steps' },
  },
  {
    rule: 'D8: each row has the steps of a row anew',
    file: 'src/mapping/compile-mapping.ts',
    from: '    this.#rowSteps.refill(most);\n',
    to: '',
    test: { file: 'src/mapping/render-columns.test.ts', title: 'D8: the templates of a row share steps' },
  },
  {
    rule: 'D8: the names of an object comprehension cost steps',
    file: 'src/jsonnet/compiler/comprehension-code.ts',
    from: '    evaluation.steps(taken.length * namingSteps);\n',
    to: '',
    test: { file: 'src/jsonnet/limits.test.ts', title: 'cost steps as they take time' },
  },
  {
    rule: 'D8: sinks that use up their time share a round of their partition',
    file: 'src/stages/map/partition-mapper.ts',
    from: '      if (leftMs <= 0) this.#sinkTurns.usedUp(mappingMs - leftMs);\n',
    to: '',
    test: { file: mapper, title: 'D8: sinks that use up their time share a round' },
  },
  {
    rule: 'D8: who was left out in a round comes before who was served',
    file: 'src/stages/map/sink-turns.ts',
    from: '      this.#servedIn.set(sink, this.#round);\n',
    to: '',
    test: { file: 'src/stages/map/sink-turns.test.ts', title: 'who was left out has its turn before' },
  },
  {
    rule: 'D8: the digits of large numbers cost steps',
    file: 'src/jsonnet/values/number-text.ts',
    from: '  if (text.length > longestCheap) evaluation.steps(text.length >> 2);\n',
    to: '',
    test: { file: 'src/jsonnet/limits.test.ts', title: 'cost steps as they take time' },
  },
  {
    rule: 'D8: a long text is searched for in the time of its length',
    file: 'src/jsonnet/std/text-search.ts',
    from: '  evaluation.scan(text.length + pattern.length);\n  return pattern',
    to: '  return pattern',
    test: { file: 'src/jsonnet/limits.test.ts', title: 'a long text within a long one' },
  },
  {
    rule: 'D8: a trial ends when its time is over',
    file: 'src/runtime/trials/trial-thread.ts',
    from: 'timer = setTimeout(late, this.#limits.runMs);',
    to: 'timer = undefined;',
    test: { file: 'src/runtime/trials/trial-thread.test.ts', title: 'a trial that takes too long is ended' },
  },
  {
    rule: 'D8: the queue of trials is bounded',
    file: 'src/runtime/trials/trial-thread.ts',
    from: 'if (this.#waiting > waiting)',
    to: 'if (this.#waiting < 0)',
    test: { file: 'src/runtime/trials/trial-thread.test.ts', title: 'so many trials may wait and no more' },
  },
  {
    rule: 'D9: a call that can be right for no event is refused with the template',
    file: 'src/jsonnet/compiler/builtin-call.ts',
    from: '  if (refused !== undefined) throw',
    to: '  if (refused === "") throw',
    test: {
      file: 'src/mapping/natives/natives.test.ts',
      title: 'D9: what a call can take for no event is refused before any event, with the place',
    },
  },
  {
    rule: 'of a form field that is a list and a value the last one counts',
    file: 'src/mapping/form-tree.ts',
    from: '    if (Array.isArray(there)) return there;',
    to: '    if (Array.isArray(there) || there !== undefined) return [];',
    test: { file: 'src/mapping/form-body.test.ts', title: 'is read as' },
  },
  {
    rule: 'a key with an escape is read by our own reader',
    file: 'src/core/parse-json-text.ts',
    from: 'return hasEscapedKey(text) ? new ValidJson(text).read() : value;',
    to: 'return text === undefined ? new ValidJson(text).read() : value;',
    test: {
      file: 'src/core/parse-json-text.prop.test.ts',
      title: 'any value comes back from any spelling of it, whatever was read before',
    },
  },
  {
    rule: 'a sink topic that is gone is told though no event comes',
    file: 'src/stages/map/map-service.ts',
    from: '    this.#watch.look(this.#mappers.values(), { signal });\n',
    to: '',
    test: {
      file: 'test/integration/remade-topics.test.ts',
      title: 'D6: a sink topic that is deleted and not made again is told for as long as it is away',
    },
  },
  {
    rule: 'one look that does not find a topic says nothing: its sink may be going',
    file: 'src/stages/map/topic-watch.ts',
    from: 'this.#unseen.has(topic)',
    to: 'topic.length > 0',
    test: { file: watch, title: 'D6: a topic is missing when two looks in a row have not found it' },
  },
  {
    rule: 'positions are sought anew after every assignment',
    file: 'src/stages/map/map-service.ts',
    from: '    this.#positions.clear();\n',
    to: '',
    test: {
      file: owners,
      title: 'D2: one whose group forgets positions reads on in the partitions that stay when another one joins',
    },
  },
  {
    rule: 'outcomes begin where the one before ended',
    file: 'src/stages/map/map-batch.ts',
    from: 'made.outcomes.push(ofRecord(mapped, { from: before, to: offset, mappingVersion }));',
    to: 'made.outcomes.push(ofRecord(mapped, { from: batch.position, to: offset, mappingVersion }));',
    test: { file: batch, title: 'makes one outcome a record, each covering from the one before' },
  },
  {
    rule: 'offsets without a record get an outcome',
    file: 'src/stages/map/map-batch.ts',
    from: '    run(batch.missing, offset - 1);\n',
    to: '    before = Math.max(before, offset - 1);\n',
    test: { file: batch, title: 'D4: covers every wanted offset of the batch exactly once, whatever is missing' },
  },
  {
    rule: 'offsets without a record at the end of the topic get an outcome',
    file: 'src/stages/map/map-batch.ts',
    from: '  run(batch.missing, stop - 1);\n',
    to: '',
    test: { file: batch, title: 'says `none` for offsets without a record, at the end too' },
  },
  {
    rule: 'what retention took gets an outcome without waiting for a record',
    file: 'src/stages/map/map-batch.ts',
    from: "  run('lost', Math.min(batch.first, stop) - 1);\n",
    to: '',
    test: { file: batch, title: 'says `lost` for what retention took, without waiting for a record' },
  },
  {
    rule: 'only wanted offsets are mapped',
    file: 'src/stages/map/map-batch.ts',
    from: 'const stop = Math.min(batch.next, endOf(batch.intervals, wanted));',
    to: 'const stop = batch.next;',
    test: { file: batch, title: 'maps only what lies in the intervals and starts each with its own predecessor' },
  },
  {
    rule: 'nothing is mapped twice',
    file: 'src/stages/map/map-batch.ts',
    from: 'let position = batch.position;',
    to: 'let position = Math.min(batch.position, batch.first - 1);',
    test: { file: batch, title: 'makes nothing of a batch that was mapped already' },
  },
  {
    rule: 'a source log that ends below a known position stops its sinks',
    file: 'src/stages/map/resume.ts',
    from: 'end: source.durableEnd, known: position + 1 });',
    to: 'end: source.durableEnd, known: 0 });',
    test: { file: restored, title: 'D3, D6: the log of sources ends below a known position: the sink stops' },
  },
  {
    rule: 'a sink whose append hangs holds up no other',
    file: 'src/stages/map/partition-mapper.ts',
    from: "if (cursor.appending !== undefined && cursor.state.kind === 'active') cursor.state = { kind: 'waiting' };",
    to: 'if (cursor.appending !== undefined) await cursor.appending;',
    test: {
      file: mapper,
      title: 'D6: a sink whose append hangs is left behind once, and held up by nobody after that',
    },
  },
  {
    rule: 'outcomes have the time of their append',
    file: 'src/stages/map/partition-mapper.ts',
    from: 'timestamp: this.#options.clock.now(), epoch',
    to: 'timestamp: 0, epoch',
    test: { file: mapper, title: 'D2: outcomes have the time of their append' },
  },
  {
    rule: 'a mapper that sees a new tear goes back to the entry',
    file: 'src/stages/map/sink-cursor.ts',
    from: 'if (isTornSince(this.#torn, entry) && entry.source',
    to: 'if (entry.source < -1 && entry.source',
    test: {
      file: 'test/integration/torn-topics.test.ts',
      title: 'D2, D3: is mapped again from the source, by the mapper that lives',
    },
  },
  {
    rule: 'D8: nesting of arrays that are put in order counts as depth',
    file: 'src/jsonnet/operators/compare.ts',
    from: '  evaluation.enter();\n',
    to: '',
    test: {
      file: 'src/jsonnet/limits.test.ts',
      title: 'D8: nesting in data counts as depth, long before the stack of the engine ends: order',
    },
  },
  {
    rule: 'D8: nesting of what is written counts as depth',
    file: 'src/jsonnet/manifest/json-line.ts',
    from: '  evaluation.enter();\n',
    to: '',
    test: {
      file: 'src/jsonnet/limits.test.ts',
      title: 'D8: nesting in data counts as depth, long before the stack of the engine ends: the result',
    },
  },
  {
    rule: 'D8: an order that is found gives its depth back',
    file: 'src/jsonnet/operators/compare.ts',
    from: '      evaluation.leave();\n      return order;',
    to: '      return order;',
    test: { file: 'src/jsonnet/limits.test.ts', title: 'D8: what was nested and is done leaves' },
  },
  {
    rule: 'whoever maps a partition needs no other one',
    file: 'src/stages/map/resume.ts',
    from: 'const source = await sourceLog.range({ topic: topics.source, partition }, options);',
    to: 'const [source = { durableEnd: 0 }] = await sourceLog.ranges(topics.source, options);',
    test: {
      file: 'test/integration/leaderless-partitions.test.ts',
      title: 'D6: a partition is mapped, staged and imported while another one',
    },
  },
];
