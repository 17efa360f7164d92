import type { SinkProgress, StagedSlice } from '../../core/progress/sink-progress.ts';
import type { ImportObserver } from '../../stages/import/import-observer.ts';
import type { MapObserver } from '../../stages/map/map-observer.ts';
import type { StageObserver } from '../../stages/stage/stage-observer.ts';
import { importAbandoned, importFinished } from '../../telemetry/import-ended.ts';
import { createMapMeter, type MapMeter } from '../../telemetry/map-meter.ts';
import { sinkForgotten } from '../../telemetry/sink-gauges.ts';
import { sliceSealed } from '../../telemetry/slice-sealed.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

/** Tells the metrics what the map stage appended. */
export function observeMap(telemetry: Telemetry): MapObserver {
  const meters = new Map<SinkProgress['incarnation'], MapMeter>();
  return {
    outcomesAppended: ({ incarnation, key }, counts) => {
      const meter = meters.get(incarnation) ?? createMapMeter(telemetry, key);
      meters.set(incarnation, meter);
      meter.mapped('row', counts.rows);
      meter.mapped('dead', counts.dead);
      meter.mapped('filtered', counts.filtered);
      meter.mapped('lost', counts.lost);
      meter.mapped('none', counts.none);
    },
  };
}

function bytesOf({ rowsObject, deadObject }: StagedSlice): number {
  return (rowsObject?.bytes ?? 0) + (deadObject?.bytes ?? 0);
}

function holesFound({ log }: Telemetry): StageObserver['holesFound'] {
  return ({ key, incarnation }, at) => log.error({ ...key, incarnation, ...at }, 'events counted as holes');
}

/** Tells the log and the metrics what was sealed. */
export function observeStage(telemetry: Telemetry): StageObserver {
  const { log } = telemetry;
  return {
    sliceSealed: ({ key, incarnation }, { slice, cause }) => {
      const { id, partition, rows, dead } = slice;
      sliceSealed(telemetry, { key, incarnation, partition, id, cause, rows, dead, bytes: bytesOf(slice) });
    },
    topicTorn: ({ key, incarnation }, at) =>
      log.error({ ...key, incarnation, ...at }, 'sink topic lost records before they were staged'),
    holesFound: holesFound(telemetry),
  };
}

/** Tells the log and the metrics what was imported. */
export function observeImport(telemetry: Telemetry): ImportObserver {
  const { log } = telemetry;
  const count = (slices: readonly StagedSlice[], pick: (slice: StagedSlice) => number): number =>
    slices.reduce((sum, slice) => sum + pick(slice), 0);
  return {
    importStarted: ({ key, incarnation }, event) => log.debug({ ...key, incarnation, ...event }, 'import started'),
    importFinished: ({ key, incarnation }, { number, slices, durationMs, tableId }) =>
      importFinished(telemetry, {
        key,
        incarnation,
        number,
        tableId,
        slices: slices.length,
        rows: count(slices, (slice) => slice.rows),
        dead: count(slices, (slice) => slice.dead),
        seconds: durationMs / 1000,
      }),
    importAbandoned: ({ key, incarnation, importing }, { number, reason }) =>
      importAbandoned(telemetry, { key, incarnation, number, slices: importing?.slices.length ?? 0, reason }),
    slicesParked: ({ key, incarnation }, event) => log.error({ ...key, incarnation, ...event }, 'slices parked'),
    sliceDamaged: ({ key, incarnation }, { slice: { id, partition, rows, dead }, reason }) =>
      log.error({ ...key, incarnation, id, partition, rows, dead, reason }, 'damaged slice parked'),
    sliceGivenUp: ({ key, incarnation, dropped }, { id, rows, dead }) =>
      // What goes with its table was asked for.
      log[dropped === undefined ? 'error' : 'info']({ ...key, incarnation, id, rows, dead }, 'slice given up'),
    holesFound: holesFound(telemetry),
    incarnationPurged: ({ key, incarnation }) => {
      sinkForgotten(telemetry, key);
      log.info({ ...key, incarnation }, 'incarnation purged');
    },
    objectsCollected: (objects) => log.debug({ objects }, 'objects collected'),
  };
}
