import type { Config } from '../../config/config.ts';
import { MillraceError } from '../../core/millrace-error.ts';

const listeners = ['admin', 'ingest', 'otlpGrpc', 'ops'] as const;

/** How to give a listener its port, on the command line and else. */
const optionOf: Readonly<Record<(typeof listeners)[number], string>> = {
  admin: '--admin-port or MILLRACE_ADMIN_PORT',
  ingest: '--ingest-port or MILLRACE_INGEST_PORT',
  otlpGrpc: 'MILLRACE_OTLP_GRPC_PORT',
  ops: '--ops-port or MILLRACE_OPS_PORT',
};

/** What ended a start; of a port that cannot be had also how to give another one. */
export function withPortOption(thrown: unknown, config: Pick<Config, (typeof listeners)[number]>): unknown {
  if (!(thrown instanceof MillraceError)) return thrown;
  const { code, message, details } = thrown;
  const name = listeners.find((one) => config[one].port === details['port'] && config[one].host === details['host']);
  if (code !== 'config.invalid' || name === undefined) return thrown;
  const advice = `give another one with ${optionOf[name]}, 0 takes a free one`;
  return new MillraceError(code, `${message}; ${advice}`, { cause: thrown, details });
}
