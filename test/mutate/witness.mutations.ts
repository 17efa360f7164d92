import type { Mutation } from './mutation.ts';

const contract = 'src/adapters/duckdb/table-store.test.ts';
const postgres = 'src/adapters/postgres/table-store.postgres.test.ts';
const witnesses = 'test/integration/witnesses.test.ts';
const part = 'src/stages/stage/part-writer.test.ts';
const compressed = 'test/integration/compressed-slices.test.ts';
const altered = 'test/integration/altered-slices.test.ts';
const content = 'src/adapters/staged-content.test.ts';

/** What notices that rows were altered, lost or doubled on their way. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'D2: the checksum is of the bytes as the stage took them, those in the file included',
    file: 'src/stages/stage/part-writer.ts',
    from: '    this.#crc = crc;',
    to: '    this.#crc = 0;',
    test: { file: part, title: 'D2: the checksum is that of all lines' },
  },
  {
    rule: 'D2: a local file is compared with what was written to it before its slice is staged',
    file: 'src/stages/stage/upload-slice.ts',
    from: '    await open[part].check({ signal });\n',
    to: '',
    test: { file: altered, title: 'D2: a local file that is altered before its upload is staged again from the log' },
  },
  {
    rule: 'D2: a local file is read to its end and to the bit',
    file: 'src/stages/stage/part-writer.ts',
    from: ' && found.crc === crc',
    to: '',
    test: { file: part, title: 'D2: a local file that is altered under the hands of the writer is found out' },
  },
  {
    rule: 'D2: a slice has the checksums of its objects',
    file: 'src/stages/stage/upload-slice.ts',
    from: 'return { name, bytes, checksum, ...compressed };',
    to: 'return checksum === undefined ? { name, bytes, checksum } : { name, bytes, ...compressed };',
    test: { file: altered, title: 'D2: a slice that is altered in its upload is loaded by nobody' },
  },
  {
    rule: 'D2: what is read is compared with its checksum',
    file: 'src/adapters/staged-content.ts',
    from: 'if (found === checksum && this.#bytes === bytes) return;',
    to: 'if (this.#bytes === bytes) return;',
    test: { file: contract, title: ' is objects.corrupt, by path and by stream, names the object' },
  },
  {
    rule: 'D2: a file of this machine is compared while DuckDB reads it',
    file: 'src/adapters/duckdb/import-slices.ts',
    from: 'checkFiles([...rows.unchecked, ...dead.unchecked, ...letters.unchecked], signal)',
    to: 'checkFiles([...dead.unchecked, ...letters.unchecked], signal)',
    test: { file: contract, title: ' is objects.corrupt, by path and by stream, names the object' },
  },
  {
    rule: 'D2: content that differs is read once more',
    file: 'src/adapters/staged-content.ts',
    from: "['objects.corrupt', 'table.invalidContent']",
    to: '[]',
    test: { file: contract, title: ' once and whole the second time is loaded once' },
  },
  {
    rule: 'D2: content that a server refused is told as altered when it is',
    file: 'src/adapters/staged-content.ts',
    from: 'for (const content of contents) await checkContent(content, options);',
    to: '',
    test: { file: postgres, title: ' is objects.corrupt, by path and by stream, names the object' },
  },
  {
    rule: 'D8: an import is not kept by a store of slices that gives nothing',
    file: 'src/adapters/staged-content.ts',
    from: 'of addAbortSignal(signal, stream)',
    to: 'of stream',
    test: { file: content, title: 'D8: a stream of staging that stands still is left with the reason of the abort' },
  },
  {
    rule: 'D2: a local file is compared before what was made of it is staged',
    file: 'src/stages/stage/part-writer.ts',
    from: '    requireSame({ path: this.#path, bytes: this.bytes, crc: this.#crcOfAll }, read);\n',
    to: '    void read;\n',
    test: { file: part, title: 'D2: a local file that is altered before it is compressed is found out' },
  },
  {
    rule: 'D2: a compressed file is compared with what was written to it',
    file: 'src/stages/stage/part-writer.ts',
    from: 'this.#gzipped ?? { path: this.#path',
    to: '{ path: this.#path',
    test: { file: part, title: 'D2: a compressed file that is altered under the hands of the writer is found out' },
  },
  {
    rule: 'D2: damage of the compression is damage of the object',
    file: 'src/adapters/staged-content.ts',
    from: 'throw corrupt(content, `its gzip is damaged: ${messageOf(thrown)}`, thrown);',
    to: 'throw thrown;',
    test: { file: contract, title: 'D2: a flipped byte of its own checksum is objects.corrupt' },
  },
  {
    rule: 'D2: an object has as many bytes as were put',
    file: 'src/adapters/staged-content.ts',
    from: 'if (compressed === undefined || bytes === compressed.bytes) return;',
    to: 'if (compressed === undefined || bytes >= compressed.bytes) return;',
    test: { file: contract, title: 'D2: a member more, of nothing is objects.corrupt' },
  },
  {
    rule: 'D8: nothing becomes more than the lines that were staged',
    file: 'src/adapters/staged-content.ts',
    from: 'if (compressed === undefined || this.#bytes <= bytes) return;',
    to: 'if (compressed === undefined || this.#bytes <= 1e9 * bytes) return;',
    test: { file: contract, title: 'D8: what becomes more than its lines is given up where they end' },
  },
  {
    rule: 'U2: older releases leave a sink alone that has a compressed slice',
    file: 'src/documents/progress-document.ts',
    from: 'rowsObject?.compressed !== undefined ||',
    to: 'rowsObject?.compressed === undefined &&',
    test: { file: compressed, title: 'D2, U2: slices of an older release and compressed ones' },
  },
  {
    rule: 'U2: a sink that never had one stays in the format that older releases write',
    file: 'src/documents/document-kind.ts',
    from: '(this.#options.needsFormat?.(document) ?? true)',
    to: '(this.#options.needsFormat === undefined || document !== undefined)',
    test: { file: compressed, title: 'D2, U2: slices of an older release and compressed ones' },
  },
  {
    rule: 'what is said of the bytes of an import is what was stored',
    file: 'src/core/progress/statistics.ts',
    from: '(sum.storedRowBytes ?? sum.rowBytes)',
    to: 'sum.rowBytes',
    test: { file: compressed, title: 'D2, U2: slices of an older release and compressed ones' },
  },
  {
    rule: 'the setting of a sink says how it is compressed before the store does',
    file: 'src/stages/stage/stage-service.ts',
    from: 'type: type ?? this.#options.objects.compression',
    to: 'type: this.#options.objects.compression ?? type',
    test: { file: compressed, title: 'a sink whose setting says so is staged as it is' },
  },
  {
    rule: 'D4: a repeated import is counted once, a given up one never',
    file: 'src/adapters/duckdb/import-slices.ts',
    from: "verdict: 'loaded', loaded: loaded.value, before }",
    to: "verdict: 'loaded', before }",
    test: { file: contract, title: 'D4: counts what its imports loaded, each once' },
  },
  {
    rule: 'D4: counts that an earlier version left behind are not told',
    file: 'src/adapters/duckdb/ledger.ts',
    from: 'counted === number ?',
    to: 'counted !== null ?',
    test: {
      file: 'src/adapters/duckdb/ledger.test.ts',
      title: 'D4: counts are not told where an earlier version moved',
    },
  },
  {
    rule: 'D4: what a running import has loaded is part of the comparison',
    file: 'src/core/accounts/ledger-witness.ts',
    from: "row.verdict === 'loaded' ? running.loads : { rows: 0, dead: 0 }",
    to: '{ rows: 0, dead: 0 }',
    test: { file: 'src/core/accounts/ledger-witness.test.ts', title: 'D4: agrees before an import, while it runs' },
  },
  {
    rule: 'D4: the log counts what it acknowledged, not what it wrote',
    file: 'src/adapters/lmdb/log/partition-commit.ts',
    from: 'acknowledged += append.records.length;',
    to: 'acknowledged += 1;',
    test: { file: witnesses, title: 'D4: a log that lost a committed record is seen' },
  },
  {
    rule: 'D4: an offset of the embedded log without an outcome of its own is a difference',
    file: 'src/core/accounts/conservation.ts',
    from: 'acknowledged + account.none - end',
    to: 'acknowledged - end',
    test: { file: witnesses, title: 'D4: a mapper that passes over an event is seen by the log' },
  },
  {
    rule: 'the gauges of a sink are of all of its incarnations',
    file: 'src/telemetry/sink-gauges.ts',
    from: 'sumMeasures(found.map(({ measure }) => measure))',
    to: 'sumMeasures(found.slice(-1).map(({ measure }) => measure))',
    test: { file: 'src/stages/measure/sink-gauges.test.ts', title: 'a deleted incarnation rings beside the next one' },
  },
  {
    rule: 'sinks of a topic that is no longer the current one of its source are measured',
    file: 'src/stages/measure/sink-gauges.ts',
    from: 'if (found !== undefined) ranges.set(topic, found);',
    to: 'void found;',
    test: { file: 'src/stages/measure/sink-gauges.test.ts', title: 'an incarnation rings whose source was made again' },
  },
  {
    rule: 'what a document says rings without its topic',
    file: 'src/stages/measure/sink-gauges.ts',
    from: 'ranges.length === 0 ? { durable: endsOfGone(progress) } : endsOf(ranges)',
    to: 'endsOf(ranges.length === 0 && endsOfGone(progress).size < 0 ? [] : ranges)',
    test: { file: 'src/stages/measure/sink-gauges.test.ts', title: 'an incarnation rings whose source was made again' },
  },
  {
    rule: 'D4: what is staged lags, too',
    file: 'src/core/accounts/sink-measure.ts',
    from: 'const lagEvents = inFlight + staged;',
    to: 'const lagEvents = inFlight;',
    test: { file: 'src/core/accounts/sink-measure.test.ts', title: 'D4: what lags is staged, or not staged yet' },
  },
  {
    rule: 'differences of incarnations do not make up for each other',
    file: 'src/core/accounts/conservation.ts',
    from: 'sum(known.map(Math.abs));\n  };',
    to: 'sum(known);\n  };',
    test: { file: 'src/core/accounts/conservation.test.ts', title: 'of several incarnations' },
  },
];
