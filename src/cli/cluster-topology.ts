import { parseTopology, readTopologyFile } from '../config/topology/parse-topology.ts';
import type { ClusterTopology } from '../config/topology/topology.ts';
import { MillraceError } from '../core/millrace-error.ts';
import type { CommandContext } from './command-context.ts';

interface Wanted {
  /** What stands behind the option; absent: the environment says. */
  readonly file: string | undefined;
  /** How the file is given; default `--topology`. */
  readonly option?: string;
  /** What the command does with it: `look at`. */
  readonly purpose: string;
}

/** The topology of a cluster that a command is to use; `config.invalid` when there is none, or everything is in one process. */
export function clusterTopology(
  { config }: Pick<CommandContext, 'config'>,
  { file, purpose, option = '--topology' }: Wanted,
): ClusterTopology {
  const { topologyFile } = config(file === undefined ? {} : { MILLRACE_TOPOLOGY: file });
  if (topologyFile === undefined)
    throw new MillraceError(
      'config.invalid',
      `there is no topology to ${purpose}: give ${option} or MILLRACE_TOPOLOGY; one process that has everything needs none`,
    );
  const parsed = parseTopology(readTopologyFile(topologyFile), { path: topologyFile });
  if (parsed.kind === 'cluster') return parsed;
  throw new MillraceError(
    'config.invalid',
    `the topology "${topologyFile}" has no servers: everything is in one process`,
  );
}
