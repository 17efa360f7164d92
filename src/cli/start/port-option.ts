import type { Config } from '../../config/config.ts';
import { MillraceError } from '../../core/millrace-error.ts';

const listeners = ['admin', 'ingest', 'ops'] as const;

/** What ended a start; of a port that cannot be had also how to give another one. */
export function withPortOption(thrown: unknown, config: Pick<Config, (typeof listeners)[number]>): unknown {
  if (!(thrown instanceof MillraceError)) return thrown;
  const { code, message, details } = thrown;
  const name = listeners.find((one) => config[one].port === details['port'] && config[one].host === details['host']);
  if (code !== 'config.invalid' || name === undefined) return thrown;
  const advice = `give another one with --${name}-port or MILLRACE_${name.toUpperCase()}_PORT, 0 takes a free one`;
  return new MillraceError(code, `${message}; ${advice}`, { cause: thrown, details });
}
