import { z } from 'zod';
import { componentOf, components } from '../../core/component.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { CronTimes } from '../../core/schedules/cron-times.ts';
import type { ConfigurationDeclaration, ScheduleDeclaration } from './configuration-declaration.ts';
import type { Json, JsonObject } from './declared-json.ts';
import { secretFaults } from './declared-secrets.ts';
import { boundedText } from './declared-text.ts';

const description = boundedText({ min: 0, max: limits.descriptionLength }).default('');
const name = boundedText({ min: 1, max: limits.configurationNameLength }).optional();
const idRule = 'an id has letters, digits, "_", "-" and "."; the first of them is a letter, a digit or "_"';
const id = z
  .string()
  .refine((text) => text.length <= limits.configurationIdLength && /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(text), idRule);

const json: z.ZodType<Json> = z.lazy(() =>
  z.union([z.string(), z.number(), z.bigint(), z.boolean(), z.null(), z.array(json), z.record(z.string(), json)]),
);

const configuration = z
  .record(z.string(), z.unknown())
  .default({})
  .transform((value, context): JsonObject => {
    const parsed = z.record(z.string(), json).safeParse(value);
    if (!parsed.success) {
      context.addIssue({ code: 'custom', message: 'must be an object as in JSON: texts, numbers, true, false, null' });
      return z.NEVER;
    }
    for (const { at, message } of secretFaults(parsed.data))
      context.addIssue({ code: 'custom', path: [...at], message });
    return parsed.data;
  });

const part = { name, description, disabled: z.boolean().default(false), configuration };

const value = z
  .union([z.string(), z.number(), z.bigint(), z.boolean()])
  .transform((given) => (typeof given === 'boolean' ? (given ? '1' : '') : String(given)));

const schedule = z
  .strictObject({
    cron: z.string().transform((text) => text.trim().replaceAll(/\s+/g, ' ')),
    timeZone: z.string().default('UTC'),
    disabled: z.boolean().default(false),
    values: z.record(z.string().min(1), value).default({}),
    valuesId: z.string().min(1).optional(),
  })
  .superRefine((given, context) => {
    try {
      CronTimes.of(given);
    } catch (thrown) {
      context.addIssue({ code: 'custom', message: MillraceError.fromUnknown(thrown).message });
    }
    if (given.valuesId !== undefined && Object.keys(given.values).length > 0)
      context.addIssue({ code: 'custom', message: 'has "values" or "valuesId", not both' });
  });

const one = z.strictObject({
  ...part,
  rows: z.preprocess(
    (given) => given ?? {},
    z.record(
      id,
      z.preprocess((given) => given ?? {}, z.strictObject(part)),
    ),
  ),
  schedule: schedule.nullish(),
});

const componentId = z
  .string()
  .refine((text) => componentOf(text) !== undefined, `must be ${components.map((one) => one.id).join(' or ')}`);

/** Configurations by component and id. */
export const configurationsSchema = z.record(
  componentId,
  z.preprocess(
    (given) => given ?? {},
    z.record(
      id,
      z.preprocess((given) => given ?? {}, one),
    ),
  ),
);

/** The configurations of a checked document: what it does not say has its default, a name is the id. */
export function configurationsOf(given: z.output<typeof configurationsSchema>): readonly ConfigurationDeclaration[] {
  return Object.entries(given).flatMap(([component, configurations]) =>
    Object.entries(configurations).map(([configurationId, { rows, schedule: planned, ...fields }]) => ({
      componentId: componentOf(component)?.id ?? component,
      configurationId,
      ...fields,
      name: fields.name ?? configurationId,
      rows: Object.entries(rows).map(([rowId, row]) => ({ rowId, ...row, name: row.name ?? rowId })),
      ...(planned === null || planned === undefined ? {} : { schedule: scheduleOf(planned) }),
    })),
  );
}

function scheduleOf({ valuesId, ...given }: z.output<typeof schedule>): ScheduleDeclaration {
  return { ...given, ...(valuesId === undefined ? {} : { valuesId }) };
}
