import { z } from 'zod';
import { formatDuration, parseDuration } from '../../core/settings/duration.ts';
import { textFault } from '../../mapping/refusals.ts';
import { shown } from '../errors/validation-error.ts';

/** Text that every store can keep, its length counted in characters, not in UTF-16 units. */
export function boundedText({ min, max }: { readonly min: number; readonly max: number }) {
  return z
    .string()
    .superRefine((value, context) => {
      const tooLong = (length: number): void =>
        context.addIssue({
          code: 'custom',
          params: { name: 'invalidLength' },
          message: `length of {field} must be lesser or equal than ${max} but got value ${shown(value)} (len=${length})`,
        });
      // A character has two units at most: what is far too long is not read.
      if (value.length > 2 * max) {
        tooLong(value.length);
        return;
      }
      const fault = textFault(value);
      if (fault !== undefined)
        context.addIssue({
          code: 'custom',
          params: { name: 'invalidFormat' },
          message: `invalid value of {field}: ${fault}`,
        });
      const length = Array.from(value).length;
      if (length >= min && length <= max) return;
      if (length > max) {
        tooLong(length);
        return;
      }
      context.addIssue({
        code: 'custom',
        params: { name: 'invalidLength' },
        message: `length of {field} must be greater or equal than ${min} but got value ${shown(value)} (len=${length})`,
      });
    })
    .meta({ minLength: min, maxLength: max });
}

/** A field that may be absent; null counts as absent, as for every client of the reference. */
export function maybe<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** An integer of a query or a path: text in, number out. */
export function integerText({ name, min, max }: { readonly name: string; readonly min: number; readonly max: number }) {
  return z
    .string()
    .transform((value, context) => {
      const number = /^-?[0-9]{1,15}$/.test(value) ? Number(value) : Number.NaN;
      if (Number.isNaN(number)) {
        context.addIssue({
          code: 'custom',
          params: { name: 'invalidFieldType' },
          message: `invalid value ${shown(value)} for "${name}", must be an integer`,
        });
        return z.NEVER;
      }
      if (number >= min && number <= max) return number;
      const rule = number < min ? `greater or equal than ${min}` : `lesser or equal than ${max}`;
      context.addIssue({
        code: 'custom',
        params: { name: 'invalidRange' },
        message: `"${name}" must be ${rule} but got value ${number}`,
      });
      return z.NEVER;
    })
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** A moment of a query in ISO 8601 with its zone (`2026-11-26T03:00:00Z`): text in, milliseconds since the epoch out. */
export function timeText(name: string) {
  return z
    .string()
    .transform((value, context) => {
      if (z.iso.datetime({ offset: true }).safeParse(value).success) return Date.parse(value);
      const message = `invalid "${name}" value ${shown(value)}: expected a moment with its zone, such as "2026-11-26T03:00:00Z"`;
      context.addIssue({ code: 'custom', params: { name: 'invalidFormat' }, message });
      return z.NEVER;
    })
    .meta({ type: 'string', format: 'date-time' });
}

/** A duration of a query, as settings have them (`1h30m`): text in, milliseconds out. */
export function durationText({
  name,
  minMs,
  maxMs,
}: {
  readonly name: string;
  readonly minMs: number;
  readonly maxMs: number;
}) {
  return z
    .string()
    .transform((value, context) => {
      const parsed = parseDuration(value);
      if (parsed.kind === 'invalid') {
        const message = `invalid "${name}" value ${shown(value)}: ${parsed.message}`;
        context.addIssue({ code: 'custom', params: { name: 'invalidFormat' }, message });
        return z.NEVER;
      }
      if (parsed.ms >= minMs && parsed.ms <= maxMs) return parsed.ms;
      const message = `"${name}" must be between ${formatDuration(minMs)} and ${formatDuration(maxMs)} but got value ${shown(value)}`;
      context.addIssue({ code: 'custom', params: { name: 'invalidRange' }, message });
      return z.NEVER;
    })
    .meta({ type: 'string' });
}
