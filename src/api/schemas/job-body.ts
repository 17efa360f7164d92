import { z } from 'zod';
import { jobModes, type JobMode } from '../../core/jobs/job.ts';
import { limits } from '../../core/limits.ts';
import { shown } from '../errors/validation-error.ts';
import { configurationWords } from './configuration-words.ts';
import { boundedText, maybe } from './field.ts';
import { valuesData } from './variable-values.ts';

const text = boundedText({ min: 0, max: limits.jobRequestBytes });
const idText = boundedText({ min: 1, max: 255 });
/** Ids are texts; clients send numbers, too. */
const id = z.union([idText, z.int().transform(String)]);

const modeText = `Mode must be one of "run", "forceRun" or "debug".`;
const mode = z
  .string()
  .transform((value, context): JobMode => {
    const found = jobModes.find((one) => one === value);
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', params: { name: 'invalidEnumValue' }, message: modeText });
    return z.NEVER;
  })
  .meta({ type: 'string', enum: [...jobModes] });

const seconds = z.union([
  z.number().min(0),
  z
    .string()
    .regex(/^[0-9]{1,12}$/)
    .transform(Number),
]);

const moment = z
  .string()
  .transform((value, context) => {
    const isTime = /^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]+(Z|[+-][0-9]{2}:?[0-9]{2})?)?$/.test(value);
    const ms = isTime ? Date.parse(zoned(value)) : Number.NaN;
    if (!Number.isNaN(ms)) return new Date(ms).toISOString();
    const rule = 'must be a time as 2026-11-21T18:00:00Z';
    context.addIssue({
      code: 'custom',
      params: { name: 'invalidFormat' },
      message: `value of {field} ${rule} but got value ${shown(value)}`,
    });
    return z.NEVER;
  })
  .meta({ type: 'string', format: 'date-time' });

/** Without an offset it is UTC. */
function zoned(value: string): string {
  return /[T ].*(Z|[+-][0-9:]+)$/.test(value) || value.length <= 10 ? value : `${value}Z`;
}

/** A field of the reference that nothing here could keep to: absent, or what means the same as absent. */
function notOffered(name: string) {
  return z
    .unknown()
    .refine(isEmpty, {
      params: { name: 'badRequest' },
      error: `Cannot create job: "${name}" is not offered; leave it out.`,
    })
    .optional();
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === '0') return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

export const createJobBody = z
  .object({
    component: idText.meta({ example: 'generic-extractor' }),
    config: maybe(id).meta({ description: 'Id of the configuration.' }),
    configData: maybe(z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()).max(0)])).meta({
      description: `A configuration in place of the stored one; \`config\` still names its default bucket and its turn. ${configurationWords.description}`,
      example: configurationWords.example,
    }),
    configRowIds: maybe(z.array(id).max(limits.listPage * 10)).meta({ description: 'Rows to run; all when absent.' }),
    mode: maybe(mode).meta({ description: '`run` when absent.' }),
    tag: maybe(text),
    branchId: maybe(z.union([z.string(), z.int().transform(String)])).meta({
      description: 'The default one when absent.',
    }),
    variableValuesId: maybe(id).meta({ description: 'Row of the variable configuration.' }),
    variableValuesData: maybe(valuesData).meta({ description: 'Values for this job.' }),
    delay: maybe(seconds).meta({ description: 'Seconds before it may start.' }),
    delayedStartTime: maybe(moment).meta({ description: 'Before which it does not start.' }),
    parallelism: notOffered('parallelism'),
    backend: notOffered('backend'),
    executor: notOffered('executor'),
    behavior: notOffered('behavior'),
    orchestrationJobId: notOffered('orchestrationJobId'),
    orchestrationTaskId: notOffered('orchestrationTaskId'),
    orchestrationPhaseId: notOffered('orchestrationPhaseId'),
    onlyOrchestrationTaskIds: notOffered('onlyOrchestrationTaskIds'),
    previousJobId: notOffered('previousJobId'),
    deduplicationId: notOffered('deduplicationId'),
  })
  .meta({ id: 'CreateJobBody' });

export type CreateJobBody = z.output<typeof createJobBody>;
