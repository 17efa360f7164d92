#!/usr/bin/env node
import { runCommandLine } from './runtime/cli/run-command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), async (options) => {
  const { startEmbedded } = await import('./runtime/embedded/start-embedded.ts');
  return startEmbedded(options);
});
