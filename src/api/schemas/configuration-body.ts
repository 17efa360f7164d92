import { z } from 'zod';
import { compactJson } from '../../core/json-members.ts';
import { JsonText } from '../../core/json-text.ts';
import { limits } from '../../core/limits.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { configurationWords, stateWords } from './configuration-words.ts';
import { boundedText, maybe } from './field.ts';

/** A field of a form or of JSON that is an object, or the JSON text of one: out comes the compact text. No error repeats what was sent. */
function objectText(
  refusal: 'invalidConfigurationFormat' | 'invalidStateFormat',
  { description, example }: typeof configurationWords | typeof stateWords,
) {
  return z
    .unknown()
    .optional()
    .transform((value, context): string | undefined => {
      const refuse = (name: string, message: string): never => {
        context.addIssue({ code: 'custom', params: { name }, message });
        return z.NEVER;
      };
      if (value === undefined || value === null || value === '') return undefined;
      const text = value instanceof JsonText ? value.text : value;
      if (typeof text !== 'string') return refuse(refusal, '{field} must be an object, or the JSON text of one');
      if (Buffer.byteLength(text) > limits.configurationBytes)
        return refuse('payloadTooLarge', `{field} is over the maximum of ${limits.configurationBytes} bytes`);
      const parsed = parsedObject(text);
      if (parsed === 'invalid')
        return refuse(refusal, '{field} is not valid JSON: it must be the JSON text of an object');
      if (parsed === 'other') return refuse(refusal, '{field} must be an object, or the JSON text of one');
      return parsed === 'empty' ? '{}' : compactJson(text);
    })
    .meta({
      type: ['object', 'string', 'null'],
      description: `${description} An object, or the JSON text of one.`,
      example,
    });
}

/** An empty array is what clients written in PHP send for an object without keys. */
function parsedObject(text: string): 'object' | 'empty' | 'other' | 'invalid' {
  try {
    const value = parseJsonText(text);
    if (Array.isArray(value)) return value.length === 0 ? 'empty' : 'other';
    return typeof value === 'object' && value !== null ? 'object' : 'other';
  } catch {
    return 'invalid';
  }
}

const configuration = objectText('invalidConfigurationFormat', configurationWords);
const state = objectText('invalidStateFormat', stateWords);
const description = maybe(boundedText({ min: 0, max: limits.descriptionLength }));
const bounded = boundedText({ min: 1, max: limits.configurationNameLength });

/** A name that must be there; what is wrong with it has a code of its own. */
const requiredName = z
  .unknown()
  .optional()
  .transform((value, context): string => {
    const parsed = bounded.safeParse(value);
    if (parsed.success) return parsed.data;
    const rule = `a text of 1 to ${limits.configurationNameLength} characters`;
    const message = value === undefined || value === null ? '"name" is missing from body' : `{field} must be ${rule}`;
    context.addIssue({ code: 'custom', params: { name: 'componentsValidation' }, message });
    return z.NEVER;
  })
  .meta({ type: 'string', minLength: 1, maxLength: limits.configurationNameLength });

const flag = z
  .unknown()
  .optional()
  .transform((value, context): boolean | undefined => {
    if (value === undefined || value === null) return undefined;
    if (value === true || value === 'true' || value === 1 || value === '1') return true;
    if (value === false || value === 'false' || value === 0 || value === '0' || value === '') return false;
    const message = '{field} must be true or false';
    context.addIssue({ code: 'custom', params: { name: 'componentsValidation' }, message });
    return z.NEVER;
  })
  .meta({ enum: [true, false, 'true', 'false', 1, 0, '1', '0', '', null] });

/** An id of a configuration or a row that is given: a step of paths, and a part of the names of buckets. */
const givenId = maybe(
  z
    .union([z.string(), z.int().min(0)])
    .transform((value, context): string => {
      const id = String(value);
      if (isConfigurationId(id)) return id;
      const rule = `1 to ${limits.configurationIdLength} letters, digits, "_", "-" and ".", the first of them a letter, a digit or "_"`;
      const message = `{field} must be ${rule}`;
      context.addIssue({ code: 'custom', params: { name: 'componentsValidation' }, message });
      return z.NEVER;
    })
    .meta({ description: 'A number that is free, when absent.' }),
);

export function isConfigurationId(text: string): boolean {
  return text.length <= limits.configurationIdLength && /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(text);
}

const sortOrder = z
  .unknown()
  .optional()
  .transform((value, context): readonly string[] | undefined => {
    if (value === undefined || value === null || value === '') return undefined;
    const text = value instanceof JsonText ? value.text : value;
    const ids = typeof text === 'string' ? z.array(z.coerce.string()).safeParse(parsedOf(text)) : undefined;
    if (ids?.success === true) return ids.data;
    const message = '{field} must be an array with the ids of all rows';
    context.addIssue({ code: 'custom', params: { name: 'componentsValidation' }, message });
    return z.NEVER;
  })
  .meta({ type: ['array', 'string', 'null'], items: { type: ['string', 'integer'] } });

function parsedOf(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

const changing = { description, configuration, state, isDisabled: flag, changeDescription: description };

export const createConfigurationBody = z
  .object({ name: requiredName, configurationId: givenId, ...changing })
  .meta({ id: 'CreateConfigurationBody', required: ['name'] });

export const updateConfigurationBody = z
  .object({ name: maybe(bounded), ...changing, rowsSortOrder: sortOrder })
  .meta({ id: 'UpdateConfigurationBody' });

export const createRowBody = z
  .object({ rowId: givenId, name: maybe(boundedText({ min: 0, max: limits.configurationNameLength })), ...changing })
  .meta({ id: 'CreateRowBody' });

export const updateRowBody = z
  .object({ name: maybe(boundedText({ min: 0, max: limits.configurationNameLength })), ...changing })
  .meta({ id: 'UpdateRowBody' });

/** An object itself is a state, too: `{"state": {…}}`. */
export const stateBody = z.object({ state }).meta({ id: 'StateBody' });

export const copyBody = z
  .object({ configurationId: givenId, name: maybe(bounded), description, changeDescription: description })
  .meta({ id: 'CopyConfigurationBody' });

export const copyRowBody = z
  .object({ rowId: givenId, name: maybe(bounded), description, changeDescription: description })
  .meta({ id: 'CopyRowBody' });

export const noteBody = z.object({ changeDescription: description }).meta({ id: 'ChangeNoteBody' });
