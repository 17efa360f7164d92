import type { Mutation } from './mutation.ts';

const hold = {
  file: 'src/runtime/backup/hold-moment.test.ts',
  title: 'no document names an offset that a log lacks',
};

/** Copies of one moment. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'R1: the catalog is held before the logs, and sinks before sources',
    file: 'src/runtime/backup/hold-moment.ts',
    from: 'for (const one of [catalog, sinkLog, sourceLog]) {\n      one.pin();',
    to: 'for (const one of [catalog, sourceLog, sinkLog]) {\n      one.pin();',
    test: hold,
  },
  {
    rule: 'R1: a moment in which the catalog has changed is none',
    file: 'src/runtime/backup/hold-moment.ts',
    from: 'if (catalog.lastTransaction() !== before) continue;',
    to: '',
    test: hold,
  },
  {
    rule: 'R1: nothing stays held when one of the snapshots cannot be opened or held',
    file: 'src/runtime/backup/hold-moment.ts',
    from: 'await using stack = new AsyncDisposableStack();',
    to: 'const stack = new AsyncDisposableStack();',
    test: { ...hold, title: 'nothing is held when one cannot be opened, or cannot be held' },
  },
  {
    rule: 'R1: what is held is older than no database that it shows',
    file: 'src/adapters/lmdb/dump/environment-snapshot.ts',
    from: 'return this.#databases.size > before;',
    to: 'return false;',
    test: { file: 'src/adapters/lmdb/dump/dump.prop.test.ts', title: 'databases that nobody in the process has open' },
  },
  {
    rule: 'R1: what was acknowledged before the time that a backup names is in it',
    file: 'src/runtime/backup/take-backup.ts',
    from: `      const at = new Date(now()).toISOString();
      await thread.hold();
`,
    to: `      await thread.hold();
      const at = new Date(now()).toISOString();
`,
    test: {
      file: 'src/runtime/backup/take-backup.test.ts',
      title: 'what is in the source topic when a backup asks for the time',
    },
  },
  {
    rule: 'R2: a file of a backup is compared with its checksum',
    file: 'src/runtime/backup/restore-backup.ts',
    from: "if (bytes === file.bytes && hash.digest('hex') === file.sha256) return;",
    to: 'if (bytes === file.bytes) return;',
    test: { file: 'test/e2e/backup.test.ts', title: 'D9: that is damaged anywhere' },
  },
  {
    rule: 'R2: nothing is left of a backup that fails in the middle',
    file: 'src/runtime/backup/take-backup.ts',
    from: `  } catch (thrown) {
    await rm(to, { recursive: true, force: true });
`,
    to: `  } catch (thrown) {
`,
    test: { file: 'test/e2e/backup-on-a-full-disk.test.ts', title: 'D9, D10: fails it in words' },
  },
  {
    rule: 'R3: a backup is made with the root token alone',
    file: 'src/api/routes/backup/backup.ts',
    from: 'if (token?.id !== rootTokenId)',
    to: 'if (token === undefined)',
    test: { file: 'src/api/credentials-of-routes.test.ts', title: 'K2: startBackup is for those who may' },
  },
];
