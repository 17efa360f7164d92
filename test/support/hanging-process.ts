import { extname } from 'node:path';
import { readConfig, type Config } from '../../src/config/config.ts';
import { parseTopology, readTopologyFile } from '../../src/config/topology/parse-topology.ts';
import { startCluster } from '../../src/runtime/cluster/start-cluster.ts';
import { brokenExitCode, type Running } from '../../src/runtime/product.ts';
import { startEmbedded } from '../../src/runtime/embedded/start-embedded.ts';
import { endAtOnce } from '../../src/runtime/end-at-once.ts';

/**
 * The product, whose role threads hang or die when `hanging-thread.ts` is told to: embedded, or the roles of MILLRACE_ROLES on a topology.
 * Embedded, its main thread may be silent for four seconds, and its role threads for five. SIGUSR2 makes its main thread hang for good.
 * What is broken ends it as it ends `millrace start`.
 */
const threadEntry = new URL(`./hanging-thread${extname(import.meta.filename)}`, import.meta.url);
const config = readConfig({});
const running = config.topologyFile === undefined ? await embedded() : await rolesOf(config, config.topologyFile);
process.on('SIGUSR2', () => {
  for (;;);
});
process.on('SIGTERM', () => void running.stop());
process.stdout.write(`${JSON.stringify({ event: 'ready', ...running.listeners })}\n`);
void running.failed.then(() => endAtOnce(brokenExitCode));

function embedded(): Promise<Running> {
  const pulseLimits = { silentMs: 5000, startMs: 120_000, stillMs: 5000 };
  return startEmbedded({ config, mainSilentMs: 4000, pulseLimits, threadEntry });
}

function rolesOf({ roles }: Config, path: string): Promise<Running> {
  const text = readTopologyFile(path);
  const value = parseTopology(text, { path });
  if (value.kind !== 'cluster') throw new Error(`${path} is no topology of a cluster`);
  const { signal } = new AbortController();
  return startCluster({ config, topology: { value: { ...value, roles }, path, text }, signal, threadEntry });
}
