import { z } from 'zod';

/**
 * Names of the fields that a schema knows at a path of an object, in the order of the schema; those of all kinds where a part
 * has several. Empty where the path leads to no object.
 */
export function fieldNames(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  const [key, ...rest] = path;
  const names = containersIn(schema).flatMap((container) => {
    if (container instanceof z.ZodArray) return key === undefined ? [] : fieldNames(container.element, rest);
    if (container instanceof z.ZodRecord) return key === undefined ? [] : fieldNames(container.valueType, rest);
    if (key === undefined) return Object.keys(container.shape);
    const inner: unknown = container.shape[String(key)];
    return inner instanceof z.ZodType ? fieldNames(inner, rest) : [];
  });
  return [...new Set(names)];
}

/** The objects, records and lists that a value of the schema may be, beneath defaults, options and transformations. */
function containersIn(schema: z.core.$ZodType): readonly (z.ZodObject | z.ZodRecord | z.ZodArray)[] {
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord || schema instanceof z.ZodArray) return [schema];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return containersIn(schema.unwrap());
  if (schema instanceof z.ZodPipe) return [...containersIn(schema.in), ...containersIn(schema.out)];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => containersIn(option));
  return [];
}
