import { tmpdir } from 'node:os';
import type { Config } from '../../config/config.ts';
import { parseTopology, readTopologyFile } from '../../config/topology/parse-topology.ts';
import type { ClusterTopology } from '../../config/topology/topology.ts';
import { createTelemetry } from '../../telemetry/create-telemetry.ts';
import { claimsOf, type ClaimablePorts } from '../composition/claims-of.ts';

/** What `Product.claimStores` promises. */
export async function claimStores(config: Config, signal: AbortSignal): Promise<readonly string[]> {
  await using stack = new AsyncDisposableStack();
  const ports = await openPorts(config, { stack, signal });
  const telemetry = createTelemetry({ main: false, level: 'silent', role: 'main' });
  return await claimsOf(ports, { telemetry, unconditionally: true }).claimAll({ signal });
}

interface Opening {
  readonly stack: AsyncDisposableStack;
  readonly signal: AbortSignal;
}

async function openPorts(config: Config, opening: Opening): Promise<ClaimablePorts> {
  const { topologyFile: path } = config;
  const topology = path === undefined ? undefined : parseTopology(readTopologyFile(path), { path });
  return topology?.kind === 'cluster' ? openCluster(topology, opening) : openFolder(config, opening);
}

async function openCluster(topology: ClusterTopology, { stack, signal }: Opening): Promise<ClaimablePorts> {
  const { openClusterPorts } = await import('../cluster/cluster-ports.ts');
  const { storesOf } = await import('../stores/stores.ts');
  const opening = { clientId: 'millrace-claim', tempDir: tmpdir(), signal };
  const ports = await openClusterPorts(topology, opening, stack);
  const { store } = await storesOf(topology).tables.open(opening);
  return { ...ports, tables: stack.use(store) };
}

/** Nobody else may work on the folder: the lock of the tables says so. */
async function openFolder(config: Config, { stack }: Opening): Promise<ClaimablePorts> {
  const { dataFolder, occupyDataFolder, prepareDataFolder } = await import('../embedded/data-folder.ts');
  const { openEmbeddedPorts } = await import('../embedded/embedded-ports.ts');
  const { openTables } = await import('../embedded/open-tables.ts');
  const folder = dataFolder(config.dataDir);
  prepareDataFolder(folder);
  const tables = stack.use(await openTables(folder, config.tables));
  occupyDataFolder(folder);
  const opened = { instance: 'claim', first: true, onBroken: () => undefined };
  return { ...(await openEmbeddedPorts(folder, opened, stack)), tables };
}
