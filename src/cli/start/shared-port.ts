import type { Config } from '../../config/config.ts';
import type { Role } from '../../config/topology/role.ts';
import { isSamePlace } from '../../config/same-place.ts';
import { MillraceError } from '../../core/millrace-error.ts';

type Listener = 'admin' | 'ingest' | 'otlpGrpc' | 'ops';

/**
 * Refuses a configuration that gives one port to two listeners of a process with these roles: `config.invalid` with the options and
 * the port. Told by the operating system, the other one would be "another process".
 */
export function checkPorts(config: Pick<Config, Listener>, roles: readonly Role[]): void {
  const wanted: readonly Listener[] = [
    roles.includes('admin') ? 'admin' : 'ops',
    ...(roles.includes('ingest') ? (['ingest'] as const) : []),
    // Where nobody set its port the product starts without it.
    ...(roles.includes('ingest') && config.otlpGrpc.isAsked ? (['otlpGrpc'] as const) : []),
  ];
  for (const [at, one] of wanted.entries())
    for (const other of wanted.slice(at + 1)) {
      if (!isSamePlace(config[one], config[other])) continue;
      throw new MillraceError(
        'config.invalid',
        `${optionOf[one]} and ${optionOf[other]} are both ${config[one].port}: give each listener a port of its own, 0 takes a free one`,
      );
    }
}

/** How to give a listener its port, on the command line and else. */
const optionOf: Readonly<Record<Listener, string>> = {
  admin: '--admin-port (MILLRACE_ADMIN_PORT)',
  ingest: '--ingest-port (MILLRACE_INGEST_PORT)',
  otlpGrpc: 'MILLRACE_OTLP_GRPC_PORT',
  ops: '--ops-port (MILLRACE_OPS_PORT)',
};
