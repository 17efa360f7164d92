import { z } from 'zod';
import type { ImportNote } from '../../core/import-note.ts';

const count = z.int();

export const importSchema = z
  .object({
    number: count.meta({ description: 'Counts the imports of this incarnation of the sink, abandoned ones included.' }),
    id: z.string(),
    verdict: z.enum(['loaded', 'abandoned']).meta({
      description: 'An abandoned import loaded nothing: a later one takes its slices.',
    }),
    mappingVersion: count,
    slices: count,
    rows: count,
    dead: count,
    bytes: count.meta({ description: 'CSV bytes.' }),
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime(),
    durationMs: count,
    replay: z
      .object({
        id: z.string(),
        letters: count.meta({
          description: 'Dead letters that it took: its rows, and those that are not wanted any more.',
        }),
      })
      .nullable()
      .meta({
        description: 'The replay of dead letters that it is a batch of, which has no slices; null: it is none.',
      }),
  })
  .meta({ id: 'Import' });

export function importView({
  number,
  id,
  verdict,
  mappingVersion,
  slices,
  rows,
  dead,
  bytes,
  startedAt,
  finishedAt,
  durationMs,
  replay,
}: ImportNote): z.input<typeof importSchema> {
  const times = { startedAt: iso(startedAt), finishedAt: iso(finishedAt), durationMs };
  return { number, id, verdict, mappingVersion, slices, rows, dead, bytes, ...times, replay: replayView(replay) };
}

function replayView(replay: ImportNote['replay']): z.input<typeof importSchema>['replay'] {
  return replay === undefined ? null : { id: replay.id, letters: replay.letters };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
