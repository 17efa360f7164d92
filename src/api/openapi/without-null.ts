import type { createDocument } from 'zod-openapi';

type Document = ReturnType<typeof createDocument>;
type Parameter = NonNullable<NonNullable<NonNullable<Document['paths']>[string]['get']>['parameters']>[number];

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * The same document with parameters that are never null: the schemas that take null for absent are meant for bodies.
 */
export function withoutNull(document: Document): Document {
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => {
    const operations = methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      return [[method, { ...operation, parameters: (operation.parameters ?? []).map(present) }] as const];
    });
    return [path, { ...item, ...Object.fromEntries(operations) }] as const;
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

function present(parameter: Parameter): Parameter {
  if ('$ref' in parameter) return parameter;
  const { schema } = parameter;
  if (typeof schema !== 'object' || '$ref' in schema) return parameter;
  const { anyOf, ...rest } = schema;
  if (Array.isArray(rest.type)) {
    const [only = 'string', ...others] = rest.type.filter((one) => one !== 'null');
    return { ...parameter, schema: { ...rest, type: others.length === 0 ? only : [only, ...others] } };
  }
  const [value, other] = anyOf ?? [];
  const isOptional = typeof other === 'object' && 'type' in other && other.type === 'null';
  return isOptional && typeof value === 'object' ? { ...parameter, schema: { ...value, ...rest } } : parameter;
}
