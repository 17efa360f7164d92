import type { Mutation } from './mutation.ts';

/** Whose the stores are, and what may be removed from them. */

const claims = 'src/stages/claims/store-claims.ts';
const claimsTest = 'src/stages/claims/store-claims.test.ts';
const collector = 'src/stages/import/collector.ts';
const collectorTest = 'src/stages/import/collector.test.ts';
const purgeTest = 'test/integration/purge.test.ts';
const foreignTest = 'src/control/foreign-topics.test.ts';
const restoredTest = 'src/control/restored-catalog.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'a store that is silent is told as that',
    file: 'src/stages/claims/store-claims.ts',
    from: 'late.aborted ? this.#silence(store, withinMs) : MillraceError',
    to: 'MillraceError',
    test: {
      file: 'src/stages/claims/store-claims.test.ts',
      title: 'D6: a log that does not answer keeps a process from starting for some seconds only',
    },
  },
  {
    rule: 'the clean-up looks whose the store is',
    file: collector,
    from: "    if (!(await this.#options.ownership.isOurs('staging', options))) return 0;\n",
    to: '',
    test: { file: collectorTest, title: 'D2: another catalog removes nothing below a prefix' },
  },
  {
    rule: 'objects of incarnations that the catalog never handed out are no garbage',
    file: collector,
    from: '      if (parsed.incarnation > last) continue;\n',
    to: '',
    test: { file: collectorTest, title: 'D2: objects of an incarnation that the catalog never handed out' },
  },
  {
    rule: "a store with another's mark is not ours",
    file: claims,
    from: '    if (claimant !== id) throw foreign(store.name, { id, claimant });\n',
    to: '',
    test: { file: claimsTest, title: 'D2: another catalog does not start on a marked store' },
  },
  {
    rule: 'a mark that is gone is missed',
    file: claims,
    from: '      if (claimed.has(store.name)) throw unmarked(store.name, id);\n',
    to: '',
    test: { file: claimsTest, title: 'D2: a store without the mark that it had' },
  },
  {
    rule: 'what holds unknown incarnations is not claimed',
    file: claims,
    from: '      await this.#refuseUnknown(store, { id, ...options });\n',
    to: '',
    test: { file: claimsTest, title: 'D2: a store without a mark that holds what the catalog never handed out' },
  },
  {
    rule: 'a store whose mark cannot be read is not ours for the moment',
    file: claims,
    from: '      return false;\n',
    to: '      return true;\n',
    test: { file: claimsTest, title: 'D6: while the mark cannot be read' },
  },
  {
    rule: 'a store that was found to be foreign stays so while nobody can read its mark',
    file: claims,
    from: ' || (before !== undefined && isNotOurs(before) && !isNotOurs(error))',
    to: '',
    test: { file: claimsTest, title: 'D2: a mark that changes under a process' },
  },
  {
    rule: 'the mark is written where no object of its name is, and the one that is there counts',
    file: 'src/stages/claims/staging-mark.ts',
    from: 'if (present !== undefined) return present;',
    to: 'if (present !== undefined) return installation;',
    test: { file: 'src/adapters/filesystem/object-store.test.ts', title: 'D3: belongs to the first that claims it' },
  },
  {
    rule: 'sinks of incarnations that the catalog never handed out are not left half made',
    file: 'src/control/operations/sweep.ts',
    from: ' || parsed.incarnation > last',
    to: ' || last < 0',
    test: { file: 'src/control/foreign-topics.test.ts', title: 'D2: a start removes what it left half made' },
  },
  {
    rule: 'tables are marked once, in one file',
    file: 'src/adapters/duckdb/installation-mark.ts',
    from: ' WHERE NOT EXISTS (FROM ${table})',
    to: ' WHERE $1 IS NOT NULL',
    test: { file: 'src/adapters/duckdb/table-store.test.ts', title: 'D3: belongs to the first that claims it' },
  },
  {
    rule: 'tables are marked once, on a server',
    file: 'src/adapters/postgres/installation-mark.ts',
    from: '  if (present !== undefined) return present;\n',
    to: '',
    test: {
      file: 'src/adapters/postgres/table-store.postgres.test.ts',
      title: 'D3: belongs to the first that claims it',
    },
  },
  {
    rule: 'who marks tables on a server does not believe what its connection saw before',
    file: 'src/adapters/postgres/installation-mark.ts',
    from: '  await client.query(`CREATE TABLE IF NOT EXISTS ${table} (id text NOT NULL)`);\n  const present = await readMark(client);\n',
    to: '  const present = await readMark(client);\n  await client.query(`CREATE TABLE IF NOT EXISTS ${table} (id text NOT NULL)`);\n',
    test: {
      file: 'src/adapters/postgres/table-store.postgres.test.ts',
      title: 'D2: of several that saw no mark, and wait while another makes one, none takes the database for its own',
    },
  },
  {
    rule: 'the embedded log is marked once',
    file: 'src/adapters/lmdb/log/installation-mark.ts',
    from: 'if (present !== undefined) return present;',
    to: 'if (present !== undefined) return installation;',
    test: { file: 'src/adapters/lmdb/event-log.test.ts', title: 'D3: belongs to the first that claims it' },
  },
  {
    rule: 'of several marks on Kafka the first counts',
    file: 'src/adapters/kafka/installation-mark.ts',
    from: 'await reads.firstBetween(at, first, end)',
    to: 'await reads.lastBetween(at, first, end)',
    test: { file: 'src/adapters/kafka/event-log.kafka.test.ts', title: 'D2: is the first record of its topic' },
  },
  {
    rule: 'a mark on Kafka whose beginning is gone is of nobody',
    file: 'src/adapters/kafka/installation-mark.ts',
    from: 'if (first > 0) throw',
    to: 'if (first < 0) throw',
    test: { file: 'src/adapters/kafka/event-log.kafka.test.ts', title: 'D2: is of nobody where it says nothing' },
  },
  {
    rule: 'Kafka never removes the mark',
    file: 'src/adapters/kafka/topic-admin.ts',
    from: 'this.#make(spec, { replication, minInSyncReplicas }, signal)',
    to: 'this.#make(spec, { ...this.#policy, replication, minInSyncReplicas }, signal)',
    test: { file: 'src/adapters/kafka/event-log.kafka.test.ts', title: 'D2: is the first record of its topic' },
  },
  {
    rule: 'a log with topics that the catalog never handed out is not claimed',
    file: 'src/stages/claims/marked-store.ts',
    from: 'parsed.incarnation > 1) yield',
    to: 'parsed.incarnation < 1) yield',
    test: { file: claimsTest, title: 'D2: without a mark and with a topic that the catalog never handed out' },
  },
  {
    rule: 'logs are looked at like staging',
    file: 'src/runtime/composition/claims-of.ts',
    from: "      markedLog('sink-log', sinkLog),\n",
    to: '',
    test: {
      file: 'test/e2e/foreign-store.test.ts',
      title: 'D2: a process does not start on the log of sinks of another data folder',
    },
  },
  {
    rule: 'a purge leaves ledger rows of another installation',
    file: 'src/stages/import/purge.ts',
    from: "  await ownership.assertOurs('tables', options);\n",
    to: '',
    test: { file: purgeTest, title: 'D2: leaves what it has in the tables' },
  },
  {
    rule: 'a purge leaves topics of another installation',
    file: 'src/stages/import/purge.ts',
    from: "  await ownership.assertOurs('sink-log', options);\n",
    to: '',
    test: { file: purgeTest, title: 'D2: leaves what it has in the sink-log' },
  },
  {
    rule: 'a purge leaves a topic that was made again',
    file: 'src/stages/import/purge.ts',
    from: '  if (there !== undefined && there.identity !== topics.sinkIdentity) return;\n',
    to: '',
    test: { file: purgeTest, title: 'D2: leaves a topic that somebody else has made' },
  },
  {
    rule: 'retired topics stay while their log is not known to be ours',
    file: 'src/stages/retain/retired-topics.ts',
    from: "      await ownership.assertOurs('source-log', options);\n",
    to: '',
    test: {
      file: 'src/stages/retain/retired-topics.test.ts',
      title: 'D2: a topic stays while its log is not known to be of this installation',
    },
  },
  {
    rule: 'a start removes nothing half made from stores of another installation',
    file: 'src/control/operations/sweep.ts',
    from: '    if (!(await areOurs(parts, options))) return;\n',
    to: '',
    test: { file: foreignTest, title: 'D2: a start removes nothing half made' },
  },
  {
    rule: 'a source topic with a number that was never handed out is not removed',
    file: 'src/control/operations/discard-unnamed-topics.ts',
    from: ' || parsed.incarnation > last',
    to: ' || last < 0',
    test: { file: foreignTest, title: 'D2: of empty source topics that nobody names' },
  },
  {
    rule: 'an unnamed source topic of another installation is not removed',
    file: 'src/control/operations/discard-unnamed-topics.ts',
    from: "if (await ownership.isOurs('source-log', options)) await",
    to: 'if (ownership !== undefined) await',
    test: { file: foreignTest, title: 'D2: of empty source topics that nobody names' },
  },
  {
    rule: 'taking back a creation leaves ledger rows of another installation',
    file: 'src/control/operations/prepare-sink.ts',
    from: "  await ownership.assertOurs('tables', options);\n",
    to: '',
    test: { file: foreignTest, title: 'D2: what a failed creation made is taken back once the tables' },
  },
  {
    rule: 'taking back a creation leaves topics of another installation',
    file: 'src/control/operations/prepare-sink.ts',
    from: "  await ownership.assertOurs('sink-log', options);\n",
    to: '',
    test: { file: foreignTest, title: 'D2: what a failed creation made is taken back once the sink-log' },
  },
  {
    rule: 'taking back a creation leaves empty tables of another installation',
    file: 'src/control/operations/ensure-table.ts',
    from: "  await ownership.assertOurs('tables', options);\n",
    to: '',
    test: { file: foreignTest, title: 'D2: an empty table that a failed operation made' },
  },
  {
    rule: 'tables of another installation are not dropped with a source',
    file: 'src/control/operations/erase-source.ts',
    from: "    await ownership.assertOurs('tables', options);\n",
    to: '',
    test: { file: foreignTest, title: 'D2: deleting a source for good drops no table' },
  },
  {
    rule: 'a number of which a store holds something is given to nobody',
    file: 'src/control/operations/take-unused-incarnation.ts',
    from: 'if (!(await holdings.holds(incarnation, options))) return',
    to: 'return',
    test: { file: restoredTest, title: 'D3: a number under which a later state of the catalog left a topic' },
  },
  {
    rule: 'a ledger row says that a number is in use',
    file: 'src/stages/claims/marked-store.ts',
    from: '(await tables.readLedger(incarnation, options)) !== undefined',
    to: 'false',
    test: { file: restoredTest, title: 'D3: a number under which a later state of the catalog left a ledger row' },
  },
  {
    rule: 'a staged object says that a number is in use',
    file: 'src/stages/claims/marked-store.ts',
    from: 'includes(incarnationsBelow(`${incarnation}/`, options), incarnation)',
    to: 'Promise.resolve(false)',
    test: { file: restoredTest, title: 'D3: a number under which a later state of the catalog left an object' },
  },
];
