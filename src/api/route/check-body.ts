import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { validationError } from '../errors/validation-error.ts';

/** An array of a body whose elements are so large that each is checked by itself. */
export interface BodyElements {
  readonly field: string;
  /** Of one element. */
  readonly schema: z.ZodType;
  /** A longer array is refused without a look at its elements. */
  readonly most: number;
}

const withFields = z.record(z.string(), z.unknown());

/**
 * The body as the schema has it; rejects with the refusal that names what is wrong. D8: between the elements of a long array the thread
 * does other things, because a hundred sinks with a hundred columns each take a schema as long as a hundred events.
 */
export async function checkBody<Body>(
  schema: z.ZodType<Body>,
  value: unknown,
  elements: BodyElements | undefined,
): Promise<Body> {
  const fields = withFields.safeParse(value).data;
  const list: unknown = elements === undefined ? undefined : fields?.[elements.field];
  if (elements === undefined || !Array.isArray(list) || list.length < 2 || list.length > elements.most)
    return outcome(schema.safeParse(value, { reportInput: true }));
  const { field } = elements;
  const outer = schema.safeParse({ ...fields, [field]: [] }, { reportInput: true });
  const issues = [...(outer.error?.issues ?? [])];
  const checked: unknown[] = [];
  for (const [index, element] of list.entries()) {
    await setImmediate();
    const { data, error } = elements.schema.safeParse(element, { reportInput: true });
    for (const issue of error?.issues ?? []) issues.push({ ...issue, path: [field, index, ...issue.path] });
    checked.push(data);
  }
  if (!outer.success || issues.length > 0) throw validationError(issues, 'body');
  return { ...outer.data, [field]: checked };
}

function outcome<Body>(result: z.ZodSafeParseResult<Body>): Body {
  if (result.success) return result.data;
  throw validationError(result.error.issues, 'body');
}
