import type { Mutation } from './mutation.ts';

const topics = 'src/runtime/migrate/move-topics.ts';
const topicsTest = 'src/runtime/migrate/move-topics.test.ts';
const record = 'src/runtime/migrate/move-record.ts';
const recordTest = 'src/runtime/migrate/move-record.test.ts';
const refusals = 'src/runtime/migrate/refusals.ts';
const refusalsTest = 'src/runtime/migrate/refusals.test.ts';
const moved = { file: 'src/runtime/migrate/migrate.test.ts', title: 'M3: that is killed at any call goes on' };

/** The move from one process to a cluster. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'M2: events of a source keep their offsets',
    file: topics,
    from: "return log === 'source' ? first : 0;",
    to: 'return 0;',
    test: { file: topicsTest, title: 'M2: of a source keeps the offset of each event' },
  },
  {
    rule: 'M2: a position in the topic of a sink follows its record',
    file: 'src/core/progress/moved-progress.ts',
    from: 'sink: entry.sink - first,',
    to: 'sink: entry.sink,',
    test: { file: 'src/core/progress/moved-progress.test.ts', title: 'M2: reads on in its own topic' },
  },
  {
    rule: 'M2: what was noted as lost follows the records',
    file: 'src/core/progress/moved-progress.ts',
    from: 'low: Math.max(0, entry.torn.low - first)',
    to: 'low: entry.torn.low',
    test: { file: 'src/core/progress/moved-progress.test.ts', title: 'M2: still knows what it has lost' },
  },
  {
    rule: 'M2: topics that a source had before are called what they are called in the cluster',
    file: 'src/runtime/migrate/moved-documents.ts',
    from: 'identity: identityOf(topic.name, topic.identity) }));',
    to: 'identity: topic.identity }));',
    test: { file: 'src/runtime/migrate/move-documents.test.ts', title: 'M2: takes along every document' },
  },
  {
    rule: 'M2: what means something to one process stays behind',
    file: 'src/runtime/migrate/moved-documents.ts',
    from: '/^retention-ages$/,',
    to: '',
    test: { file: 'src/runtime/migrate/move-documents.test.ts', title: 'M2: takes along every document' },
  },
  {
    rule: 'M2: a ledger row that says something else is not adopted',
    file: 'src/adapters/same-ledger.ts',
    from: 'if (isDeepStrictEqual(found, row)) return false;',
    to: 'if (found !== undefined) return false;',
    test: {
      file: 'src/adapters/duckdb/table-store.test.ts',
      title: 'M2: a row that says something else is refused',
    },
  },
  {
    rule: 'M3: a topic that was copied is read back',
    file: topics,
    from: 'if (digest.text() !== range.digest) throw',
    to: 'if (digest.text() === "") throw',
    test: { file: topicsTest, title: 'M3: with a record twice, missing or altered is no copy' },
  },
  {
    rule: 'M3: what a copy has left that was cut off is removed first',
    file: topics,
    from: '  await to.deleteTopic(name, move);\n',
    to: '',
    test: { file: topicsTest, title: 'M3: takes the place of what a copy has left' },
  },
  {
    rule: 'M3: a piece of a table is loaded once',
    file: 'src/runtime/migrate/move-tables.ts',
    from: 'const loaded = (await to.readLedger(ofTheMove, move))?.number ?? 0;',
    to: 'await to.deleteLedger(ofTheMove, move);\n  await to.createLedger(ofTheMove, move);\n  const loaded = 0;',
    test: { file: 'src/runtime/migrate/move-tables.test.ts', title: 'M3: cut off behind each piece' },
  },
  {
    rule: 'M3: a table that was copied is read back',
    file: 'src/runtime/migrate/move-tables.ts',
    from: 'if (found.digest === lines.digest && found.rows === lines.rows) return number;',
    to: 'if (found.rows === lines.rows) return number;',
    test: { file: 'src/runtime/migrate/move-tables.test.ts', title: 'M3: a table that has become another one' },
  },
  {
    rule: 'M3: a table is cut at the ends of rows, not of lines',
    file: 'src/runtime/migrate/table-pieces.ts',
    from: 'if (byte !== lineEnd || this.#isQuoted) continue;',
    to: 'if (byte !== lineEnd) continue;',
    test: {
      file: 'src/runtime/migrate/table-pieces.prop.test.ts',
      title: 'M3: a table is cut at the ends of its rows',
    },
  },
  {
    rule: 'M3: a topic that was noted is not copied again',
    file: 'src/runtime/migrate/migrate.ts',
    from: 'if (noted !== undefined) {',
    to: 'if (noted === "") {',
    test: { file: 'src/runtime/migrate/migrate.test.ts', title: 'M3: goes on with what it has copied and noted' },
  },
  {
    rule: 'M3: whoever was cut off behind the point of no return tells the cluster',
    file: 'src/runtime/migrate/migrate.ts',
    from: '  await release(cluster, move, options);\n  return {',
    to: '  return {',
    test: moved,
  },
  {
    rule: 'M3: the ledger comes along',
    file: 'src/runtime/migrate/migrate.ts',
    from: '  await cluster.tables.adoptLedger(plan.ledger, waiting);\n',
    to: '',
    test: moved,
  },
  {
    rule: 'M4: no process starts on what was moved away, or has not come completely',
    file: 'src/stages/claims/require-here.ts',
    from: "  if (state === 'done') return;\n",
    to: '  return;\n',
    test: { file: 'src/stages/claims/require-here.test.ts', title: 'M4: a process starts where everything is' },
  },
  {
    rule: 'M4: a process that starts ends a move that was not finished',
    file: 'src/stages/claims/require-here.ts',
    from: "state === 'underWay' && (await removeUnchanged(catalog, { ...place, value: found }, options))",
    to: "state === 'underWay'",
    test: { file: 'src/stages/claims/require-here.test.ts', title: 'M4: a process starts where everything is' },
  },
  {
    rule: 'M4: a move does not end under the name of another one',
    file: record,
    from: 'if (before?.id !== id)',
    to: 'if (before === undefined)',
    test: { file: recordTest, title: 'M4: a move goes into one cluster' },
  },
  {
    rule: 'M4: a move that goes elsewhere is another one',
    file: record,
    from: 'before?.to === to',
    to: 'before !== undefined',
    test: { file: recordTest, title: 'M4: a move goes into one cluster' },
  },
  {
    rule: 'M4: nothing is removed from a cluster on which a process may have worked',
    file: record,
    from: "known.state !== 'underWay' || ",
    to: '',
    test: { file: recordTest, title: 'M4: begun anew it removes what another one has left' },
  },
  {
    rule: 'M5: a cluster with a mark of another installation is not empty',
    file: record,
    from: '  await requireMarks(cluster, { installation, signal });\n  const known = await readMove(catalog, options);',
    to: '  const known = await readMove(catalog, options);',
    test: { file: recordTest, title: 'M5: a cluster that has anything in it is not empty' },
  },
  {
    rule: 'M5: what Kafka would remove before it is delivered is not moved',
    file: refusals,
    from: 'if (ageMs > retentionMs - spareMs)',
    to: 'if (ageMs > 2 * retentionMs)',
    test: { file: refusalsTest, title: 'M5: can be moved when Kafka keeps what is not delivered' },
  },
  {
    rule: 'M5: what is delivered may be as old as it is',
    file: refusals,
    from: 'const needed = Math.max(first, neededOffset(own, partition, end));',
    to: 'const needed = Math.min(first, neededOffset(own, partition, end));',
    test: { file: refusalsTest, title: 'M5: can be moved when Kafka keeps what is not delivered' },
  },
  {
    rule: 'M5: a loss that nobody has counted is not moved',
    file: refusals,
    from: 'if (!isLost) return [];',
    to: 'if (isLost) return [];',
    test: { file: refusalsTest, title: 'M5: cannot while it has lost outcomes' },
  },
  {
    rule: 'M5: secrets are not moved without their key',
    file: refusals,
    from: 'if (sealed === 0) return { documents, hidden: [] };',
    to: 'if (sealed >= 0) return { documents, hidden: [] };',
    test: { file: refusalsTest, title: 'M5: cannot with secrets' },
  },
];
