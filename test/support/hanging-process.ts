import { readConfig } from '../../src/config/config.ts';
import { startEmbedded } from '../../src/runtime/embedded/start-embedded.ts';

/** The embedded product, whose main thread may be silent for two seconds; SIGUSR2 makes it hang for good. */
const running = await startEmbedded({ config: readConfig({}), mainSilentMs: 2000 });
process.on('SIGUSR2', () => {
  for (;;);
});
process.on('SIGTERM', () => void running.stop());
process.stdout.write(`${JSON.stringify({ event: 'ready', ...running.listeners })}\n`);
