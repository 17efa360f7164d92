import { roles } from '../../config/topology/role.ts';
import { isRetired } from '../../core/retired-topic.ts';
import type { DuckDbTables } from '../../adapters/duckdb/table-store.ts';
import { ownLimits } from '../../stages/retain/own-limits.ts';
import { Retention } from '../../stages/retain/retention.ts';
import type { Platform, PlatformContext, PlatformParts } from '../composition/platform.ts';
import type { Ports } from '../composition/ports.ts';
import { diskFull } from '../../events/refusal.ts';
import { observeDisk } from '../../telemetry/observe-disk.ts';
import { observeRetention } from '../../telemetry/observe-retention.ts';
import type { Backups } from '../../control/parts.ts';
import { systemClock } from '../system-clock.ts';
import type { DataFolder } from './data-folder.ts';
import { DiskGuard } from './disk-guard.ts';

const reserveBytes = 64 * 1024 ** 2;

/** Everything in one process on its data folder: the log is retained here, and the disk is watched. */
export function embeddedPlatform(
  folder: DataFolder,
  open: { readonly ports: Ports; readonly tables: DuckDbTables; readonly backups: Backups },
): Platform {
  return {
    ...open,
    spec: { kind: 'embedded', dataDir: folder.path },
    roles: new Set(roles),
    instance: 'main',
    localFolder: folder.local,
    importsAtOnce: 2,
    othersLagMs: 0,
    jobTakeOverMs: 0,
    start: (context, signal) => start(folder, context, signal),
  };
}

async function start(folder: DataFolder, context: PlatformContext, signal: AbortSignal): Promise<PlatformParts> {
  const { ports, configuration, telemetry } = context;
  const disk = new DiskGuard({ path: folder.path, reserveBytes, observer: observeDisk(telemetry) });
  const observer = observeRetention(telemetry);
  const retention = new Retention({ ...ports, configuration, clock: systemClock, observer });
  await disk.look();
  await retention.round({ signal });
  return {
    rounds: [
      { id: 'disk-guard', everyMs: 1000, round: () => disk.look() },
      { id: 'retention', everyMs: 5000, growing: true, round: (waiting) => retention.round(waiting) },
    ],
    // Of a retired topic nothing goes until no sink needs it.
    limitsOf: (source, partitions) =>
      Promise.resolve(isRetired(source) ? undefined : ownLimits(source.settings, partitions)),
    unready: () => (disk.isFull ? [diskFull.message] : []),
    hindrances: () => ({ isDiskFull: disk.isFull, ofTopics: retention.hindrances }),
    listen: (listener) => {
      disk.listen(listener);
      retention.listen(listener);
    },
  };
}
