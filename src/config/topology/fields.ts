import { z } from 'zod';
import type { Primitive } from '../primitives.ts';
import { Secret } from '../secrets.ts';
import { Reference } from './reference.ts';

/** A text, a number or a switch of the file, or a reference to one, by the rule of a primitive. */
export function field<Value>({ rule, schema }: Primitive<Value>): z.ZodType<Value> {
  return z.unknown().transform((value, context) => {
    const text = value instanceof Reference ? referred(value, context) : textOf(value);
    if (text === undefined) {
      if (!(value instanceof Reference)) context.addIssue({ code: 'custom', message: missingOr(value, rule) });
      return z.NEVER;
    }
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    // What a reference holds may be a secret: it is not repeated.
    const found = value instanceof Reference ? value.place : JSON.stringify(value);
    context.addIssue({ code: 'custom', message: `${found} must be ${rule}` });
    return z.NEVER;
  });
}

export const optional = <Value>(of: z.ZodType<Value>): z.ZodOptional<z.ZodType<Value>> => of.optional();

/** What may be left out, with what it is then. */
export const withDefault = <Value>(of: z.ZodType<Value>, value: unknown): z.ZodType<Value> =>
  z.unknown().default(value).pipe(of);

/** A text that the file must not hold itself. */
export function secretField(rule: string): z.ZodType<Secret> {
  return z.unknown().transform((value, context) => {
    if (!(value instanceof Reference)) {
      const message = `must be ${rule}, by reference: { env: NAME } or { file: PATH }, so that the file holds no secret`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
    const text = referred(value, context);
    return text === undefined ? z.NEVER : new Secret(text);
  });
}

function referred({ text, place, lack }: Reference, context: z.core.$RefinementCtx): string | undefined {
  if (text === undefined) context.addIssue({ code: 'custom', message: `${place} ${lack}` });
  return text;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

function missingOr(value: unknown, rule: string): string {
  return value === undefined || value === null ? `is missing; it must be ${rule}` : `must be ${rule}`;
}
