import { z } from 'zod';
import { findingKinds, type Finding } from '../../control/reports/why/finding.ts';
import type { IncarnationWhy } from '../../control/reports/why/why-incarnation.ts';
import type { SinkWhy } from '../../control/reports/why/read-why.ts';
import { isoTime } from './iso-time.ts';

const time = z.iso.datetime();

export const findingSchema = z
  .object({
    kind: z.enum(findingKinds).meta({
      description:
        'What it is about: `failing` a role that cannot serve the sink, `server` a server that a process cannot use, `unmapped`, `transaction`, `open`, `staged`, `importing` and `parked` where events wait, `torn`, `cut` and `lost` what a log lost, `alarm` what somebody has to look at, `closed` that the sink takes nothing new, `unknown` what cannot be told now.',
    }),
    text: z.string().meta({ description: 'Sentences for people.' }),
    role: z.enum(['map', 'stage', 'import']).optional().meta({ description: 'Whose turn it is.' }),
    partitions: z.array(z.int()).optional().meta({ description: 'Absent: the whole sink.' }),
    events: z.int().optional().meta({ description: 'How many events it is about, where that is known.' }),
    since: time.optional(),
    nextAt: time.optional().meta({
      description: 'When something comes next, at the latest, where that is known: a trigger, or the next try.',
    }),
    code: z.string().optional().meta({ description: 'Of the error, as docs/spec/errors.md lists it.' }),
    action: z.string().optional().meta({ description: 'What to do about that.' }),
    attempts: z.int().optional(),
  })
  .meta({ id: 'Finding' });

const whyFields = {
  incarnation: z.int(),
  verdict: z.string().meta({ description: 'One sentence.' }),
  delivered: z.boolean().nullable().meta({
    description: 'Everything that was accepted is in the table or accounted for; null while the log does not answer.',
  }),
  waiting: z
    .int()
    .nullable()
    .meta({ description: 'Events that are not in the table yet; null while the log does not answer.' }),
  asOf: time,
  findings: z
    .array(findingSchema)
    .meta({ description: 'What fails first, then what waits, in the order of the way of an event.' }),
};
const incarnationSchema = z.object(whyFields);

export const whySchema = z
  .object({
    branchId: z.int(),
    sourceId: z.string(),
    sinkId: z.string(),
    ...whyFields,
    earlier: z.array(incarnationSchema).optional().meta({
      description: 'The same of what the sink accepted before it was deleted and came back, until that is delivered.',
    }),
  })
  .meta({ id: 'SinkWhy' });

export type WhyView = z.input<typeof whySchema>;

export function whyView({ key, earlier, ...own }: SinkWhy): WhyView {
  const { branchId, sourceId, sinkId } = key;
  const others = earlier.length === 0 ? {} : { earlier: earlier.map(incarnationView) };
  return { branchId, sourceId, sinkId, ...incarnationView(own), ...others };
}

function incarnationView(why: IncarnationWhy): z.input<typeof incarnationSchema> {
  const { incarnation, verdict, isDelivered, waiting, asOf, findings } = why;
  return {
    incarnation,
    verdict,
    delivered: isDelivered ?? null,
    waiting: waiting ?? null,
    asOf: isoTime(asOf),
    findings: findings.map(findingView),
  };
}

export function findingView({ partitions, since, nextAt, ...rest }: Finding): z.input<typeof findingSchema> {
  return {
    ...rest,
    ...(partitions === undefined ? {} : { partitions: [...partitions] }),
    ...(since === undefined ? {} : { since: isoTime(since) }),
    ...(nextAt === undefined ? {} : { nextAt: isoTime(nextAt) }),
  };
}
