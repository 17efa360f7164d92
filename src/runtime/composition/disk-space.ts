import { statfs } from 'node:fs/promises';
import type { Round } from '../../core/periodic-service.ts';
import { diskMeasured } from '../../telemetry/disk-space.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

/** Looks now and then how much is free on the disk of a folder. */
export function diskSpace(folder: string, telemetry: Telemetry): Round {
  return {
    id: 'disk-space',
    everyMs: 5000,
    round: async () => {
      const { bavail, blocks, bsize } = await statfs(folder);
      diskMeasured(telemetry, { freeBytes: bavail * bsize, sizeBytes: blocks * bsize });
    },
  };
}
