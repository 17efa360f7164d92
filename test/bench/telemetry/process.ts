/** The product on a data folder, with the telemetry that BENCH_TELEMETRY names. */
import { readConfig } from '../../../src/config/config.ts';
import { widenThreadPool } from '../../../src/config/thread-pool.ts';
import { startEmbedded } from '../../../src/runtime/embedded/start-embedded.ts';
import { telemetryOfBench } from './silent-telemetry.ts';

widenThreadPool();
const running = await startEmbedded({
  config: readConfig({}),
  threadEntry: new URL('thread.ts', import.meta.url),
  telemetryOf: telemetryOfBench(),
});
process.on('SIGTERM', () => void running.stop());
process.stdout.write(`${JSON.stringify({ event: 'ready', ...running.listeners })}\n`);
