import type { Mutation } from './mutation.ts';

/** Readers of sink topics: what they take, seal and trim. */

const standing = 'src/stages/stage/standing.test.ts';
const reader = 'src/stages/stage/partition-reader.test.ts';
const sealer = 'src/stages/stage/slice-sealer.test.ts';
const restored = 'test/integration/restored-stores.test.ts';
const damaged = 'test/integration/damaged-log.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'a record says where its value lies in what was read',
    file: 'src/adapters/lmdb/log/batch-codec.ts',
    from: 'const valueStart = at + recordHeader.bytes + this.#headersBytes;',
    to: 'const valueStart = at + recordHeader.bytes;',
    test: { file: 'src/adapters/lmdb/log/batch-codec.prop.test.ts', title: 'gives the records of every batch back' },
  },
  {
    rule: 'an outcome is read where its record lies',
    file: 'src/core/outcome.ts',
    from: 'const at = bytes.byteOffset + start;',
    to: 'const at = bytes.byteOffset;',
    test: { file: standing, title: 'D2: a row that is missing stops it' },
  },
  {
    rule: 'a line is what stands behind the header of its outcome, no more and no less',
    file: 'src/stages/stage/open-slice.ts',
    from: 'this.rows.append(record.memory, record.valueStart + outcomeHeaderBytes, record.valueEnd);',
    to: 'this.rows.append(record.memory, record.valueStart + outcomeHeaderBytes);',
    test: { file: standing, title: 'D2: takes of each outcome its line, to the byte' },
  },
  {
    rule: 'the next line lies inside the open interval',
    file: 'src/stages/stage/standing.ts',
    from: '      to >= this.#openFrom &&\n',
    to: '',
    test: { file: standing, title: 'D3: those between two intervals are none of its rows' },
  },
  {
    rule: 'where no interval is open, no line is simply the next',
    file: 'src/stages/stage/standing.ts',
    from: 'last?.end === null ? last.start : Number.POSITIVE_INFINITY',
    to: 'last?.start ?? Number.POSITIVE_INFINITY',
    test: { file: standing, title: 'D3: those past the end of the last interval are none of its rows' },
  },
  {
    rule: 'a line of another mapping version is not simply the next',
    file: 'src/stages/stage/standing.ts',
    from: ' &&\n      (known === undefined || known === mappingVersion)',
    to: ' &&\n      (known ?? mappingVersion) > 0',
    test: { file: standing, title: 'D7: one of another mapping version closes the slice before it is taken' },
  },
  {
    rule: 'the next line begins where the reader stands',
    file: 'src/stages/stage/standing.ts',
    from: '      from === this.#source &&\n      to === this.#source + 1 &&\n',
    to: '      to > this.#source &&\n',
    test: { file: standing, title: 'D2: a row that is missing stops it' },
  },
  {
    rule: 'a line that is not simply the next closes a slice of another mapping version',
    file: 'src/stages/stage/standing.ts',
    from: 'if (hasLines(kind) && isOtherMapping && takes(verdict))',
    to: 'if (hasLines(kind) && isOtherMapping && takes(verdict) && to < from)',
    test: { file: standing, title: 'D7: one of another mapping version closes the slice before it is taken' },
  },
  {
    rule: 'a repeat closes no slice',
    file: 'src/stages/stage/standing.ts',
    from: 'if (hasLines(kind) && isOtherMapping && takes(verdict))',
    to: 'if (hasLines(kind) && isOtherMapping)',
    test: { file: standing, title: 'D7: a repeat of another mapping version closes nothing' },
  },
  {
    rule: 'of a run only the wanted offsets are counted',
    file: 'src/stages/stage/standing.ts',
    from: 'else slice.counts[kind] += countOffsets(verdict.runs);',
    to: 'else slice.counts[kind] += this.#header.to - this.#header.from;',
    test: { file: standing, title: 'D4: what makes no row is counted as far as it is wanted' },
  },
  {
    rule: 'what retention took is a hole, and told',
    file: 'src/stages/stage/standing.ts',
    from: "else if (kind === 'lost') this.#countHoles(verdict.runs);",
    to: "else if (kind === 'lost') slice.counts.holes += countOffsets(verdict.runs);",
    test: { file: standing, title: 'D4: what makes no row is counted as far as it is wanted' },
  },
  {
    rule: 'a batch that begins above the position is a torn topic',
    file: 'src/stages/stage/standing.ts',
    from: "if (batch.first > this.#sink) return { kind: 'torn', index, low: batch.first };",
    to: "if (batch.first > this.#sink + 1) return { kind: 'torn', index, low: batch.first };",
    test: { file: standing, title: 'D2: a batch that begins above its position says that the topic was torn' },
  },
  {
    rule: 'outside and gap are judged after the document was read again',
    file: 'src/stages/stage/partition-reader.ts',
    from: 'left = this.#takeAll(batch, 0, false);',
    to: 'left = this.#takeAll(batch, 0, true);',
    test: { file: reader, title: 'D2: what lies beyond the intervals is judged by a document' },
  },
  {
    rule: 'a document that was read again counts only with the entry that the reader stands on',
    file: 'src/stages/stage/partition-reader.ts',
    from: 'document === undefined || standing === undefined || !this.#isBase(document, standing)',
    to: 'document === undefined || standing === undefined',
    test: { file: reader, title: 'D2: what lies beyond the intervals is judged by a document' },
  },
  {
    rule: 'a gap is noted, above the outcome that shows it',
    file: 'src/stages/stage/partition-reader.ts',
    from: 'low: isLost ? gap.at : gap.at + 1, source',
    to: 'low: gap.at, source',
    test: { file: reader, title: 'D2: a gap that the newest document does not explain is noted' },
  },
  {
    rule: 'what follows a gap that the source has lost, too, is not passed over',
    file: 'src/stages/stage/partition-reader.ts',
    from: 'low: isLost ? gap.at : gap.at + 1, source',
    to: 'low: isLost && gap.to < 0 ? gap.at : gap.at + 1, source',
    test: { file: reader, title: 'D2, D4: a gap that the source has lost, too, is holes at once' },
  },
  {
    rule: 'a gap that was noted, and of which nothing has come, is told',
    file: 'src/stages/stage/partition-reader.ts',
    from: 'if (isKnown && !isLost) throw',
    to: 'if (isKnown && isLost) throw',
    test: { file: reader, title: 'D2: a gap of which nobody takes note is told until it is mapped again' },
  },
  {
    rule: 'what passes over the outcomes of a note heals nothing',
    file: 'src/stages/stage/partition-reader.ts',
    from: ' || standing === undefined || standing.awaits) return;',
    to: ' || standing === undefined) return;',
    test: { file: reader, title: 'D2: a gap of which nobody takes note is told until it is mapped again' },
  },
  {
    rule: 'outcomes of events that the source does not have are not passed over',
    file: 'src/stages/stage/partition-reader.ts',
    from: 'if (source.stableEnd <= gap.to) throw',
    to: 'if (source.stableEnd < 0) throw',
    test: { file: reader, title: 'D2: a gap whose events the source does not have at all is told, too' },
  },
  {
    rule: 'an offset that a log which leaves none out does not have is a torn topic',
    file: 'src/stages/stage/standing.ts',
    from: "if (batch.missing === 'lost' && record.offset > this.#sink)",
    to: "if (batch.missing === 'lost' && record.offset < this.#sink)",
    test: { file: standing, title: 'D2: an offset that is missing in a log which leaves none out says' },
  },
  {
    rule: 'so is one at the end',
    file: 'src/stages/stage/standing.ts',
    from: "if (batch.missing === 'lost' && batch.next > this.#sink)",
    to: "if (batch.missing === 'lost' && batch.next < this.#sink)",
    test: { file: damaged, title: 'D2, D3: a batch that is missing at the end is mapped again at once' },
  },
  {
    rule: 'a reader that finds its entry changed drops what it holds',
    file: 'src/stages/stage/partition-reader.ts',
    from: ' && sameEntry(entryOf(value, this.at.partition), base)',
    to: '',
    test: { file: reader, title: 'D3: a reader that sees that its entry was moved by another one drops what it holds' },
  },
  {
    rule: 'a torn topic is noted with the end of the source',
    file: 'src/stages/stage/partition-reader.ts',
    from: 'sourceEnd: source.stableEnd,',
    to: 'sourceEnd: base.source,',
    test: {
      file: reader,
      title: 'D2: a torn topic is noted with the first offset that is left and the end of the source',
    },
  },
  {
    rule: 'slices are sealed in their order',
    file: 'src/stages/stage/slice-sealer.ts',
    from: 'return waiting === -1 ? this.#queue : this.#queue.slice(0, waiting);',
    to: 'return waiting === -1 ? this.#queue : this.#queue.filter(({ change }) => change !== undefined);',
    test: { file: sealer, title: 'slices that are uploaded in any order are sealed in their own, together' },
  },
  {
    rule: 'a slice that cannot be sealed takes those after it with it',
    file: 'src/stages/stage/slice-sealer.ts',
    from: '    this.#end = end;\n    for (const each of ended) end(each);',
    to: '    for (const each of ended.slice(0, 1)) end(each);\n    this.#queue = [...this.#queue, ...ended.slice(1)];',
    test: { file: sealer, title: 'an upload that fails in the middle ends the slices after it' },
  },
  {
    rule: 'slices that are sealed together are each compared',
    file: 'src/stages/stage/slice-sealer.ts',
    from: 'if (isRefused(after)) return after;',
    to: 'if (isRefused(after)) continue;',
    test: {
      file: sealer,
      title: 'D2, D6: a slice whose stamp the floor has passed is a failure that is told',
    },
  },
  {
    rule: 'past the bound nothing is uploaded',
    file: 'src/stages/stage/upload-slice.ts',
    from: '  requireRoom(document);\n',
    to: '',
    test: { file: sealer, title: 'D8: past the bound a slice is refused before it is uploaded' },
  },
  {
    rule: 'of a sink topic only what is sealed is trimmed',
    file: 'src/stages/stage/stage-service.ts',
    from: 'this.#trims.set(key, { at, before: neededFrom });',
    to: 'this.#trims.set(key, { at, before: this.#readers.get(key)?.position ?? neededFrom });',
    test: {
      file: 'src/stages/stage/stage-service.test.ts',
      title: 'D2: of a sink topic only what is sealed is trimmed',
    },
  },
  {
    rule: 'what was passed over stays in the topic until what went missing has come back',
    file: 'src/core/progress/seal.ts',
    from: 'wanted === undefined || wanted >= torn.end ? sink : Math.max(0, torn.low - 1)',
    to: 'wanted === undefined || wanted >= torn.end ? sink : Math.max(sink, torn.low)',
    test: {
      file: 'src/core/progress/seal.test.ts',
      title: 'D2: what was passed over is needed until all that went missing has come back',
    },
  },
  {
    rule: 'what is sealed is trimmed',
    file: 'src/stages/stage/stage-service.ts',
    from: 'this.#trims.set(key, { at, before: neededFrom });',
    to: 'this.#trims.set(key, { at, before: 0 });',
    test: {
      file: 'src/stages/stage/stage-service.test.ts',
      title: 'D2: of a sink topic only what is sealed is trimmed',
    },
  },
  {
    rule: 'a sink topic that was made anew stops the sink',
    file: 'src/stages/stage/check-topic.ts',
    from: '  if (at.identity !== identity) throw topicChanged(at, identity);\n  await checkIdentity(sinkLog, { topic, identity }, options);\n',
    to: '  await sinkLog.describeTopic(topicChanged(at, identity) === undefined ? identity : topic, options);\n',
    test: { file: restored, title: 'D3, D6: a sink topic made anew while everything stands still stops its sink' },
  },
  {
    rule: 'a sink topic that ends below the position stops the sink',
    file: 'src/stages/stage/check-topic.ts',
    from: 'if (end < known)',
    to: 'if (end < 0)',
    test: {
      file: reader,
      title: 'D3: a sink topic that ends below the position of the document stops it with an alarm',
    },
  },
];
