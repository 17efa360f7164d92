import type { MillraceError } from '../../core/millrace-error.ts';
import { limits } from '../../core/limits.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { portsOf } from './opened-ports.ts';
import type { Ports } from './ports.ts';
import type { ThreadSpec } from './thread-messages.ts';

export interface ThreadPorts {
  readonly ports: Ports;
  /** For local slice files; it is there. */
  readonly localFolder: string;
  /** The most bytes that one append to the topic of a sink takes. */
  readonly maxAppendBytes: number;
}

interface OpenThreadPortsOptions {
  readonly stack: AsyncDisposableStack;
  readonly telemetry: Telemetry;
  readonly onBroken: (error: MillraceError) => void;
}

/**
 * Opens for a thread what its role works with; loads the adapters of that alone. The catalog of a thread that takes events may be away:
 * such a thread begins with what its process knows.
 */
export async function openThreadPorts(
  { role, platform, instance }: ThreadSpec,
  { stack, telemetry, onBroken }: OpenThreadPortsOptions,
): Promise<ThreadPorts> {
  const only = portsOf[role];
  switch (platform.kind) {
    case 'embedded': {
      const { dataFolder } = await import('../embedded/data-folder.ts');
      const { openEmbeddedPorts } = await import('../embedded/embedded-ports.ts');
      const folder = dataFolder(platform.dataDir);
      const ports = await openEmbeddedPorts(folder, { instance, first: false, only, onBroken }, stack);
      return { ports, localFolder: folder.local, maxAppendBytes: limits.recordBytes };
    }
    case 'cluster': {
      const { openClusterPorts } = await import('../cluster/cluster-ports.ts');
      const { observeAppends } = await import('../../telemetry/observe-appends.ts');
      const { clusterTopology } = await import('../cluster/cluster-topology.ts');
      const topology = clusterTopology(platform.topology);
      const { localFolder } = platform;
      const { signal } = new AbortController();
      const appends = observeAppends(telemetry);
      const isCatalogLate = role === 'ingest';
      const opening = { clientId: instance, tempDir: localFolder, appends, only, isCatalogLate, signal };
      const ports = await openClusterPorts(topology, opening, stack);
      return { ports, localFolder, maxAppendBytes: ports.maxSinkAppendBytes };
    }
    default:
      return platform satisfies never;
  }
}
