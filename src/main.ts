#!/usr/bin/env -S node --max-semi-space-size=8
import { enableCompileCache } from 'node:module';
import { widenThreadPool } from './config/thread-pool.ts';
import { provideDisposableStack } from './runtime/disposable-stack.ts';
import type { Product } from './runtime/product.ts';

// Before anything else is loaded: a second start then skips the compilation of every module.
enableCompileCache();
provideDisposableStack();
widenThreadPool();
const { runCommandLine } = await import('./cli/run-command-line.ts');
const { endAtOnce } = await import('./runtime/end-at-once.ts');
const { brokenExitCode } = await import('./runtime/product.ts');
const { productVersion } = await import('./runtime/version.ts');

/** Each part is loaded when a command asks for it. */
const product: Product = {
  version: productVersion,
  start: async ({ config, topology, signal = new AbortController().signal }) => {
    // What the process writes holds events and secrets: nobody else on the machine reads it.
    process.umask(0o077);
    if (topology !== undefined) {
      const { startCluster } = await import('./runtime/cluster/start-cluster.ts');
      return startCluster({ config, topology, signal });
    }
    const { startEmbedded } = await import('./runtime/embedded/start-embedded.ts');
    return startEmbedded({ config });
  },
  claimStores: async (config, signal) => {
    const { claimStores } = await import('./runtime/claim/claim-stores.ts');
    return claimStores(config, signal);
  },
  restore: async (asked, signal) => {
    process.umask(0o077);
    const { restoreBackup } = await import('./runtime/backup/restore-backup.ts');
    return restoreBackup({ ...asked, signal });
  },
  migrate: async (asked, signal) => {
    process.umask(0o077);
    const { migrate } = await import('./runtime/migrate/migrate.ts');
    return migrate({ ...asked, signal });
  },
  examineCluster: async (topology, signal) => {
    const { examineCluster } = await import('./runtime/doctor/examine-cluster.ts');
    return examineCluster(topology, signal);
  },
  openSourceTopic: async (asked, signal) => {
    const { openSourceTopic } = await import('./runtime/produce/open-source-topic.ts');
    return openSourceTopic(asked, signal);
  },
  extract: async (asked, signal) => {
    const { extract } = await import('./runtime/extract/extract.ts');
    return extract(asked, signal);
  },
  tryExtraction: async (asked, signal) => {
    const { tryExtraction } = await import('./runtime/extract/try-extraction.ts');
    return tryExtraction(asked, signal);
  },
};

process.exitCode = await runCommandLine(process.argv.slice(2), product);
// What is broken may hold a thread for ever, and with it an ordinary end.
if (process.exitCode === brokenExitCode) endAtOnce(brokenExitCode);
