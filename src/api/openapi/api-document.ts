import { createDocument, type ZodOpenApiOverrideContext, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Route } from '../route/route.ts';
import { examples } from './examples.ts';
import { operationOf } from './operation-of.ts';
import { tags } from './tag-of.ts';
import { withoutNull } from './without-null.ts';

export interface ApiDocumentOptions {
  /** Version of the product. */
  readonly version: string;
  /** Where the API is, seen from the document. */
  readonly serverUrl: string;
}

export type ApiDocument = ReturnType<typeof createDocument>;

const description = `Events in, tables out, exactly once.

A call carries a token as \`X-StorageApi-Token\` or as \`Authorization: Bearer\`. Bodies are JSON in UTF-8, times are UTC with
milliseconds; unknown fields are ignored, null counts as absent. Lists come in pages: ask again with \`afterId\` set to the
\`lastId\` of the page.

An operation that takes its time answers 202 with a task: poll its \`url\` until \`isFinished\`.

Before a request reaches an operation it may be refused with 404 (no such endpoint), 405 (another method, with \`Allow\`), 417, 431
or 501 (not the HTTP that this server speaks), in the shape of \`Error\`.

The same address serves \`/metrics\`, \`/health/live\` and \`/health/ready\` to operators, without a token.`;

/** The OpenAPI 3.1 document of the routes. Pure, and slow: tens of milliseconds. */
export function apiDocument(routes: readonly Route[], { version, serverUrl }: ApiDocumentOptions): ApiDocument {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Millrace',
        version,
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: serverUrl }],
      tags,
      paths: pathsOf(routes),
      components: {
        securitySchemes: {
          StorageApiToken: { type: 'apiKey', in: 'header', name: 'X-StorageApi-Token' },
          Bearer: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    { override: openObjects },
  );
  return withExamples(withoutNull(document));
}

function pathsOf(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: Record<string, ZodOpenApiPathsObject[string]> = {};
  for (const route of routes) {
    // OpenAPI has no name for the rest of a path: an id with slashes is one parameter, sent encoded.
    const path = route.path.replaceAll('*}', '}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return paths;
}

/** An answer may get a field more one day: who reads it by this document must not stumble over it. */
function openObjects({ jsonSchema, zodSchema }: ZodOpenApiOverrideContext): void {
  if (zodSchema._zod.def.type === 'object' && jsonSchema.additionalProperties === false)
    delete jsonSchema.additionalProperties;
}

/** The same document with the examples at the schemas that they are named after. */
function withExamples(document: ApiDocument): ApiDocument {
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => {
    const example = examples[name];
    const takesOne = example !== undefined && typeof schema === 'object' && !('$ref' in schema);
    return [name, takesOne ? { ...schema, examples: [example] } : schema] as const;
  });
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}
