import type { createDocument } from 'zod-openapi';
import { examples } from './examples.ts';

type Document = ReturnType<typeof createDocument>;

/** The same document with the examples at the schemas that they are named after. */
export function withExamples(document: Document): Document {
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => {
    const example = examples[name];
    const takesOne = example !== undefined && typeof schema === 'object' && !('$ref' in schema);
    return [name, takesOne ? { ...schema, examples: [example] } : schema] as const;
  });
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}
