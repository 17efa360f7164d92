import type { ClusterTopology } from '../../config/topology/topology.ts';
import type { Ports } from '../composition/ports.ts';
export async function openClusterPorts(
  _t: ClusterTopology,
  _o: { readonly clientId: string },
  _s: AsyncDisposableStack,
): Promise<Ports> {
  throw new Error('x');
}
