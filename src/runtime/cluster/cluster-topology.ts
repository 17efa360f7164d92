import { parseTopology } from '../../config/topology/parse-topology.ts';
import type { ClusterTopology } from '../../config/topology/topology.ts';
import { MillraceError } from '../../core/millrace-error.ts';

/** The topology of a thread, from the text that its process was started with. */
export function clusterTopology({ path, text }: { readonly path: string; readonly text: string }): ClusterTopology {
  const topology = parseTopology(text, { path });
  if (topology.kind === 'cluster') return topology;
  throw new MillraceError('internal.bug', `"${path}" is not the topology of a cluster`);
}
