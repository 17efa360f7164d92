import { z } from 'zod';
import { signals } from '../../core/event.ts';
import { limits } from '../../core/limits.ts';
import { tableType } from '../../core/sink.ts';
import { columnBody } from './column.ts';
import { boundedText, maybe } from './field.ts';

const name = boundedText({ min: 1, max: limits.nameLength });
const description = maybe(boundedText({ min: 0, max: limits.descriptionLength }));
const columns = z.array(columnBody).min(1).max(limits.columnsPerMapping);
const mapping = z.object({ columns });
/** The description has only part of the rule; `parseTableId` checks the whole, and says which part is broken. */
const tableId = z.string().meta({
  pattern: String.raw`^(in|out|sys)\.[^.]{1,96}\.[^.]{1,96}$`,
  description: '`stage.bucket.table`, of letters, digits, `_` and `-`.',
  example: 'in.c-shop.orders',
});
/** More than there are; each of a list without end would be looked at, and told. */
const maxSignals = 100;
const allowedSignals = maybe(z.array(z.enum(signals)).max(maxSignals)).meta({
  description: 'Signals of an OTLP source that the sink takes; empty: all.',
});

/** Body of "create sink". */
export const createSinkBody = z
  .object({
    type: maybe(z.enum(['table'])),
    name,
    sinkId: maybe(boundedText({ min: 1, max: limits.idLength })).meta({ description: 'Made of the name when absent.' }),
    description,
    allowedSignals,
    table: maybe(
      z.object({
        type: maybe(z.enum([tableType])),
        tableId,
        mapping,
      }),
    ),
    backfill: maybe(boundedText({ min: 1, max: 40 })).meta({
      description:
        'Where the sink begins: with the next event (`latest`, the default), with the oldest that the source still keeps (`earliest`), or with the first of each partition that arrived at a time or later (`2026-11-01T00:00`, UTC unless it says); what lies behind it follows. After the newest event that is the next one.',
      examples: ['latest', 'earliest', '2026-11-01T00:00:00Z'],
    }),
  })
  .meta({ id: 'CreateSinkBody' });

/** Body of "update sink": what is absent stays. */
export const updateSinkBody = z
  .object({
    type: maybe(z.enum(['table'])),
    name: maybe(name),
    description,
    allowedSignals,
    table: maybe(
      z.object({
        type: maybe(z.enum([tableType])),
        tableId: maybe(tableId),
        mapping: maybe(mapping),
        alter: maybe(z.boolean()).meta({
          description:
            'True: a table that is missing is made, and one that has other columns gets those of the mapping. Rows that wait go to their places in it.',
        }),
        renamed: maybe(z.array(z.object({ from: z.string(), to: z.string() })).max(limits.columnsPerMapping)).meta({
          description:
            'With `alter`: columns that keep their cells under another name. What is not named here comes or goes.',
        }),
      }),
    ),
    changeDescription: description,
  })
  .meta({ id: 'UpdateSinkBody' });
