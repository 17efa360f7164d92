import type { Config } from '../../config/config.ts';
import { readRunFile } from '../run-file.ts';

/** Which listener or folder a person named; none: what is found. */
export interface Named {
  readonly dataDir: boolean;
  readonly adminPort: boolean;
  readonly opsPort: boolean;
}

/**
 * Base URLs at which a process of this machine may show its health, the likeliest first. `MILLRACE_URL` is of another
 * machine and plays no part. The run file comes second where it holds the address that others see. Behind the standard
 * port may be the process of any folder: that is no answer to who named one on which no process works.
 */
export async function placesOf(config: Config, named: Named): Promise<readonly string[]> {
  const { admin, ops, roles, dataDir } = config;
  if (named.opsPort) return [urlOf(ops)];
  if (named.adminPort) return [urlOf(admin)];
  const opsPlaces = ops.port === 0 ? [] : [urlOf(ops)];
  if (roles.length > 0 && !roles.includes('admin')) return opsPlaces;
  const running = await readRunFile(dataDir).catch(() => undefined);
  const noted = running === undefined ? [] : [running.admin.replace(/\/+$/, '')];
  const standard = admin.port === 0 || (named.dataDir && running === undefined) ? [] : [urlOf(admin)];
  const adminPlaces = admin.publicUrl === undefined ? [...noted, ...standard] : [...standard, ...noted];
  return [...new Set([...adminPlaces, ...opsPlaces])];
}

/** Every interface includes loopback. */
function urlOf({ host, port }: Config['ops']): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
