import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** Real servers. */
const servers = 'src/**/*.{kafka,mongo,postgres,registry,s3}.test.ts';
/** Processes, kills at each step, long searches: what takes more than some seconds. */
const slow = [
  'src/adapters/duckdb/{crash,failed-sync,recovery,table-store,torn-log.prop}.test.ts',
  'src/adapters/filesystem/failed-sync.test.ts',
  'src/adapters/kafka/{append,client,event-log,silent-leader}.test.ts',
  'src/adapters/lmdb/{catalog-threads,event-log-storage}.test.ts',
  'src/api/{audit-of-routes,many,two-admins}.test.ts',
  'src/cli/**/{client-commands,ending,health,job-commands,jsonnet,life-commands,run-stored,send-commands,start,token-commands,variables}.test.ts',
  'src/control/{audit-crash,crash,import-crash,table-crash,undelete,zombie}.test.ts',
  'src/core/progress/sink-progress.prop.test.ts',
  'src/jsonnet/language/hostile.test.ts',
  'src/runtime/migrate/migrate.test.ts',
  'src/stages/import/{damaged-slices,lasting-failures}.test.ts',
  'src/stages/claims/store-claims.test.ts',
  'src/stages/map/large-events.test.ts',
  'src/stages/stage/{partition-reader,slow-uplink}.test.ts',
  'src/stages/work/{clocks,schedule-keeper,work-crash,work-service}.test.ts',
];

/** They load both processors for as long as they last, which among others is three times as long: they run when the others have ended. */
const loads = ['test/chaos/{crash,cluster-crash.kafka}.test.ts'];

/** Some of what they await must come within a second or two, also for users: fewer of them run at a time, when the others have ended. */
const timed = ['test/e2e/{drain-under-load,isolation,killed-jobs}.test.ts', 'test/package/hostile-senders.test.ts'];

export default defineConfig({
  test: {
    // They end what would wait for ever. No test needs a fifth of it on two processors; those that need more say how much.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // More than there are processors: tests with servers and processes wait a third of their time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Of machines with much else to do. Vitest's own is one second.
    expect: { poll: { timeout: 150_000, interval: 20 } },
    globalSetup: ['test/support/in-memory.ts'],
    setupFiles: process.env['MILLRACE_TEST_COSTS'] === undefined ? [] : ['test/support/cost-of-file.ts'],
    reporters: ['default'],
    projects: [
      // Modules are loaded once for all files of a worker: that is half of their time.
      {
        extends: true,
        test: { name: 'unit', isolate: false, include: ['src/**/*.test.ts'], exclude: [servers, ...slow] },
      },
      {
        extends: true,
        test: { name: 'whole', include: [servers, ...slow, 'test/**/*.test.ts'], exclude: [...loads, ...timed] },
      },
      { extends: true, test: { name: 'loads', maxWorkers: 1, sequence: { groupOrder: 1 }, include: loads } },
      { extends: true, test: { name: 'timed', maxWorkers: 2, sequence: { groupOrder: 2 }, include: timed } },
    ],
  },
});
