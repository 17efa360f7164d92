#!/usr/bin/env -S node --max-semi-space-size=8
import { enableCompileCache } from 'node:module';
import { widenThreadPool } from './config/thread-pool.ts';

// Before anything else is loaded: a second start then skips the compilation of every module.
enableCompileCache();
widenThreadPool();
const { runCommandLine } = await import('./runtime/cli/run-command-line.ts');

const { exitCodes } = await import('./runtime/cli/exit-code.ts');
const { endAtOnce } = await import('./runtime/end-at-once.ts');

process.exitCode = await runCommandLine(process.argv.slice(2), async (options) => {
  const { config, topology, signal = new AbortController().signal } = options;
  if (topology !== undefined) {
    const { startCluster } = await import('./runtime/cluster/start-cluster.ts');
    return startCluster({ config, topology, signal });
  }
  const { startEmbedded } = await import('./runtime/embedded/start-embedded.ts');
  return startEmbedded({ config });
});
// What is broken may hold a thread for ever, and with it an ordinary end.
if (process.exitCode === exitCodes.broken) endAtOnce(exitCodes.broken);
