import { readConfig } from '../../src/config/config.ts';
import { startEmbedded } from '../../src/runtime/embedded/start-embedded.ts';
import { quickClock } from './quick-clock.ts';

/** The embedded product, which takes its samples by a clock on which a minute passes in a second. */
const running = await startEmbedded({
  config: readConfig({}),
  samplingClock: quickClock(Number(process.env['QUICK_CLOCK_BEGIN'])),
  threadEntry: new URL('./thread-entry.js', import.meta.url),
});
process.on('SIGTERM', () => void running.stop());
process.stdout.write(`${JSON.stringify({ event: 'ready', ...running.listeners })}\n`);
