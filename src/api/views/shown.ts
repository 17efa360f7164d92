import type { z } from 'zod';

/** Of a part of a document what the API describes: a newer release may have written more into it. */
export function shown<Shape>(schema: z.ZodType<Shape>, part: NoInfer<Shape>): Shape {
  return schema.parse(part);
}
