/** The embedded product as the crash test runs it: the same composition, with ports that can end the process. */
import { readConfig } from '../../src/config/config.ts';
import { startEmbedded } from '../../src/runtime/embedded/start-embedded.ts';
import { crashingPorts, plannedCrash } from './crash-points.ts';

const running = await startEmbedded({
  config: readConfig(),
  decorate: crashingPorts(plannedCrash(process.env)),
  threadEntry: new URL('./victim-thread.ts', import.meta.url),
});
process.once('SIGTERM', () => void running.stop());
console.log(JSON.stringify({ event: 'ready', ...running.listeners }));
