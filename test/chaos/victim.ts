/**
 * The embedded product as the crash test runs it: the same composition with ports that can end the process, a second mapper and a
 * second reader beside those of the composition, and a door by which a producer appends to a source's topic.
 */
import { enableCompileCache } from 'node:module';
import { extname } from 'node:path';
import type { Ports } from '../../src/runtime/composition/ports.ts';

enableCompileCache();
const { readConfig } = await import('../../src/config/config.ts');
const { pulseLimits } = await import('../../src/runtime/composition/pulse.ts');
const { ThreadService } = await import('../../src/runtime/composition/thread-service.ts');
const { startEmbedded } = await import('../../src/runtime/embedded/start-embedded.ts');
const { crashingPorts, plannedCrash } = await import('./crash-points.ts');
const { defectivePorts, plantedDefect } = await import('./planted.ts');
const { openProducerDoor } = await import('./producer-door.ts');

const config = readConfig();
const threadEntry = new URL(`./victim-thread${extname(import.meta.filename)}`, import.meta.url);
const crash = crashingPorts(plannedCrash(process.env));
const defect = defectivePorts(plantedDefect(process.env));
const opened = Promise.withResolvers<Ports>();
const running = await startEmbedded({
  config,
  decorate: (ports) => {
    const decorated = crash(defect(ports));
    opened.resolve(decorated);
    return decorated;
  },
  threadEntry,
});
const end = (error: Error): never => {
  throw error;
};
const { logLevel, templates, dataDir, quick } = config;
const leaving = new AbortController();
const seconds = (['map', 'stage'] as const).map((role) => {
  const spec = {
    role,
    instance: `${role}-beside`,
    thread: `${role}-beside`,
    platform: { kind: 'embedded', dataDir },
    logLevel,
    templates,
    quick,
  } as const;
  return new ThreadService(spec, { entry: threadEntry, onBroken: end, pulse: pulseLimits });
});
const seconded = Promise.all(seconds.map((service) => service.run(leaving.signal)));
await Promise.all(seconds.map(({ ready }) => ready));
const door = await openProducerDoor(Number(process.env['CHAOS_PRODUCER_PORT']), (await opened.promise).sourceLog);
process.once('SIGTERM', () => {
  door.close();
  void Promise.all(seconds.map((service) => service.drain()))
    .then(() => seconded)
    .then(() => running.stop());
});
console.log(JSON.stringify({ event: 'ready', ...running.listeners }));
