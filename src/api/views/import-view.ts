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
}: ImportNote): z.input<typeof importSchema> {
  const times = { startedAt: iso(startedAt), finishedAt: iso(finishedAt), durationMs };
  return { number, id, verdict, mappingVersion, slices, rows, dead, bytes, ...times };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
