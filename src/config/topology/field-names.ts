import { z } from 'zod';

/**
 * Names of the fields that a schema knows at a path of an object, in the order of the schema; those of all kinds where a part
 * has several. Empty where the path leads to no object.
 */
export function fieldNames(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  const [key, ...rest] = path;
  const names = objectsIn(schema).flatMap(({ shape }) => {
    if (key === undefined) return Object.keys(shape);
    const inner: unknown = shape[String(key)];
    return inner instanceof z.ZodType ? fieldNames(inner, rest) : [];
  });
  return [...new Set(names)];
}

/** The objects that a value of the schema may be, beneath defaults, options and transformations. */
function objectsIn(schema: z.core.$ZodType): readonly z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return objectsIn(schema.unwrap());
  if (schema instanceof z.ZodPipe) return [...objectsIn(schema.in), ...objectsIn(schema.out)];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => objectsIn(option));
  return [];
}
