interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: object;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { parameters?: Parameter[] }>>>>;
}

/** The same document with path parameters that take these values only: what is made of it meets what is there. */
export function fixParameters(document: Document, values: Readonly<Record<string, readonly string[]>>): Document {
  const fixed = structuredClone(document);
  for (const item of Object.values(fixed.paths))
    for (const operation of Object.values(item))
      operation.parameters = (operation.parameters ?? []).map((parameter) => {
        const known = parameter.in === 'path' ? values[parameter.name] : undefined;
        return known === undefined ? parameter : { ...parameter, schema: { type: 'string', enum: known } };
      });
  return fixed;
}
