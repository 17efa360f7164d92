import { z } from 'zod';
import { isoTime } from './iso-time.ts';
import { addLevels, emptyLevel, holdsAny, storedBytesOf, type Level, type Levels } from '../../core/accounts/levels.ts';

const time = z.iso.datetime();

const levelSchema = z
  .object({
    firstRecordAt: time.optional().meta({
      description:
        'Arrival of the first event, dead letters included, as far as it is known: that of an event is known once it is mapped.',
    }),
    lastRecordAt: time.optional().meta({ description: 'Arrival of the last event that is known.' }),
    recordsCount: z.int().meta({ description: 'Rows; before staging also events whose outcome is not known yet.' }),
    compressedSize: z.int().meta({
      description:
        'Bytes as they are stored, or were stored in staging: less than those of the CSV where staged objects are compressed.',
    }),
    uncompressedSize: z.int().meta({ description: 'Bytes of CSV.' }),
    deadLettersCount: z.int().meta({ description: 'Events that the mapping refused; they are not in `recordsCount`.' }),
  })
  .meta({ id: 'StatisticsLevel' });

const levels = z.object({
  local: levelSchema.optional().meta({
    description:
      'Accepted and not staged. Sizes and arrivals are those of lines that the answering process stages itself.',
  }),
  staging: levelSchema.optional().meta({ description: 'In staging: waiting, parked, or being imported.' }),
  target: levelSchema.optional().meta({
    description:
      'In the table since the sink was created, or since the statistics were cleared; undeleting it keeps them.',
  }),
});

export const statisticsSchema = z.object({ total: levelSchema, levels }).meta({ id: 'Statistics' });

/** Statistics of a part of a sink; without a record `total` is null. */
export const fileStatisticsSchema = z.object({ total: levelSchema.nullable(), levels }).meta({ id: 'FileStatistics' });

/** Totals of a sink: their sum, and the levels that hold anything. */
export function statisticsView(levels: Levels): z.input<typeof statisticsSchema> {
  const { local, staging, target } = levels;
  const all = [local, staging, target].filter((level) => level !== undefined);
  return { total: levelView(all.reduce(addLevels, emptyLevel)), levels: levelsView(levels) };
}

/** The same of a file. */
export function fileStatisticsView(levels: Levels): z.input<typeof fileStatisticsSchema> {
  const view = statisticsView(levels);
  return Object.keys(view.levels).length === 0 ? { total: null, levels: {} } : view;
}

function levelsView({ local, staging, target }: Levels): z.input<typeof levels> {
  return {
    ...(holdsAny(local) ? { local: levelView(local) } : {}),
    ...(holdsAny(staging) ? { staging: levelView(staging) } : {}),
    ...(holdsAny(target) ? { target: levelView(target) } : {}),
  };
}

function levelView(level: Level): z.input<typeof levelSchema> {
  const { rows, dead, bytes, firstArrival, lastArrival } = level;
  return {
    ...(firstArrival === undefined ? {} : { firstRecordAt: isoTime(firstArrival) }),
    ...(lastArrival === undefined ? {} : { lastRecordAt: isoTime(lastArrival) }),
    recordsCount: rows,
    compressedSize: storedBytesOf(level),
    uncompressedSize: bytes,
    deadLettersCount: dead,
  };
}
