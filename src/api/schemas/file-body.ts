import { z } from 'zod';
import { JsonText } from '../../core/json-text.ts';
import { limits } from '../../core/limits.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { shown } from '../errors/validation-error.ts';
import { boundedText } from './field.ts';

const name = boundedText({ min: 1, max: limits.fileNameLength });
const tag = boundedText({ min: 1, max: limits.tagLength });
const tagList = z.array(tag).max(limits.tagsPerFile);
const contentType = z
  .string()
  .max(200)
  .regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w.+-]+=[\w.+"-]+)*$/);

/** A field of JSON or of a form, as `read` makes it; whatever is wrong with it has the code of files. */
function field<Value>(read: (value: unknown) => Value | undefined, rule: string) {
  return z
    .unknown()
    .optional()
    .transform((value, context): Value | undefined => {
      if (value === undefined || value === null || value === '') return undefined;
      const found = read(value);
      if (found !== undefined) return found;
      const given = value instanceof JsonText ? shown(value.text.slice(0, 200)) : shown(value);
      const message = `{field} must be ${rule} but got value ${given}`;
      context.addIssue({ code: 'custom', params: { name: 'fileValidation' }, message });
      return z.NEVER;
    });
}

/** How clients write yes and no. */
const asFlag = { enum: [true, false, 'true', 'false', 1, 0, '1', '0'] };

function flagOf(value: unknown): boolean | undefined {
  if (value === true || value === 'true' || value === 1 || value === '1') return true;
  if (value === false || value === 'false' || value === 0 || value === '0') return false;
  return undefined;
}

function sizeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** A list of JSON, the JSON text of one, or one text. */
function tagsOf(value: unknown): readonly string[] | undefined {
  const text = value instanceof JsonText ? value.text : value;
  if (typeof text !== 'string') return undefined;
  const list = text.startsWith('[') ? parsed(text) : [text];
  return tagList.safeParse(list).data;
}

function parsed(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

const tags = field(tagsOf, `a list of at most ${limits.tagsPerFile} texts of 1 to ${limits.tagLength} characters`).meta(
  {
    type: ['array', 'string'],
    items: { type: 'string' },
  },
);

const notOffered = (rule: string) =>
  field((value) => (flagOf(value) === false ? false : undefined), rule).meta({ enum: [false, 'false', 0, '0'] });

export const prepareFileBody = z
  .object({
    name: z
      .unknown()
      .optional()
      .transform((value, context): string => {
        const found = name.safeParse(value);
        if (found.success) return found.data;
        const isMissing = value === undefined || value === null;
        const rule = `a text of 1 to ${limits.fileNameLength} characters`;
        const message = isMissing
          ? '"name" is missing from body'
          : `{field} must be ${rule} but got value ${shown(value)}`;
        context.addIssue({ code: 'custom', params: { name: 'fileValidation' }, message });
        return z.NEVER;
      })
      .meta({ type: 'string', minLength: 1, maxLength: limits.fileNameLength, description: 'For people.' }),
    sizeBytes: field(sizeOf, 'a number of bytes').meta({
      type: 'integer',
      description: 'When it is given an upload of another size is refused.',
    }),
    contentType: field((value) => contentType.safeParse(value).data, 'a media type such as "text/csv"').meta({
      type: 'string',
      description: 'For people; it is downloaded as bytes.',
    }),
    tags,
    'tags[]': tags.meta({ description: 'The same, as some clients name it in forms.' }),
    isPermanent: field(flagOf, 'true or false').meta({
      ...asFlag,
      description: 'Kept until it is deleted; else for 15 days.',
    }),
    isSliced: notOffered('false or absent: a file is uploaded in one piece'),
    isEncrypted: field(flagOf, 'true or false').meta({
      ...asFlag,
      description: 'Accepted, and changes nothing.',
    }),
    federationToken: field(flagOf, 'true or false').meta({
      ...asFlag,
      description: 'Accepted, and changes nothing: the upload goes to this product.',
    }),
  })
  .meta({ id: 'PrepareFileBody', required: ['name'] });

export const tagBody = z
  .object({
    tag: z
      .unknown()
      .optional()
      .transform((value, context): string => {
        const found = tag.safeParse(value);
        if (found.success) return found.data;
        const message = `{field} must be a text of 1 to ${limits.tagLength} characters`;
        context.addIssue({ code: 'custom', params: { name: 'fileValidation' }, message });
        return z.NEVER;
      })
      .meta({ type: 'string', minLength: 1, maxLength: limits.tagLength }),
  })
  .meta({ id: 'TagBody', required: ['tag'] });
