import { extname } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import { brokenExitCode } from '../../src/runtime/product.ts';
import { startEmbedded } from '../../src/runtime/embedded/start-embedded.ts';
import { endAtOnce } from '../../src/runtime/end-at-once.ts';

/**
 * The embedded product, whose main thread may be silent for two seconds, and its role threads for three; SIGUSR2 makes
 * it hang for good, and its role threads hang when `hanging-thread.ts` is told to. What is broken ends it as it ends
 * `millrace start`.
 */
const running = await startEmbedded({
  config: readConfig({}),
  mainSilentMs: 2000,
  pulseLimits: { silentMs: 3000, startMs: 120_000, stillMs: 3000 },
  threadEntry: new URL(`./hanging-thread${extname(import.meta.filename)}`, import.meta.url),
});
process.on('SIGUSR2', () => {
  for (;;);
});
process.on('SIGTERM', () => void running.stop());
process.stdout.write(`${JSON.stringify({ event: 'ready', ...running.listeners })}\n`);
void running.failed.then(() => endAtOnce(brokenExitCode));
