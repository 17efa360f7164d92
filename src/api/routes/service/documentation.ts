import { z } from 'zod';
import { ApiError } from '../../errors/api-error.ts';
import type { Description } from '../../api-context.ts';
import { pageAsset } from '../../openapi/page-assets.ts';
import { contentSecurityPolicy, referencePage } from '../../openapi/reference-page.ts';
import { defineRoute, type Route } from '../../route/route.ts';

const path = '/v1/documentation';
const oneDay = 'public, max-age=86400';

const pageRoute = defineRoute({
  method: 'GET',
  path,
  access: 'public',
  operationId: 'documentation',
  summary: 'Show this document as a page.',
  responses: { 200: { description: 'The page.', contentTypes: ['text/html'] } },
  handle: async (_, { description, version }) => ({
    kind: 'text',
    status: 200,
    contentType: 'text/html; charset=utf-8',
    text: referencePage(description.path(), version),
    headers: { 'Content-Security-Policy': contentSecurityPolicy, 'Referrer-Policy': 'no-referrer' },
  }),
});

const assetRoute = defineRoute({
  method: 'GET',
  path: `${path}/assets/{file}`,
  access: 'public',
  operationId: 'documentationAsset',
  summary: 'Get a file of the page.',
  params: z.object({ file: z.string().meta({ example: 'swagger-ui.css' }) }),
  refuses: ['endpointNotFound'],
  responses: { 200: { description: 'The file.', contentTypes: ['text/css', 'text/javascript'] } },
  handle: async ({ params: { file } }) => {
    const asset = await pageAsset(file);
    if (asset === undefined) throw new ApiError('endpointNotFound', `the page has no file "${file.slice(0, 100)}"`);
    return { kind: 'bytes', ...asset, headers: { 'Cache-Control': oneDay } };
  },
});

interface DocumentFile {
  readonly name: string;
  readonly operationId: string;
  readonly contentType: string;
  readonly text: (description: Description) => Promise<string>;
}

const json = { contentType: 'application/json', text: (description: Description) => description.json() };
const yaml = { contentType: 'application/yaml', text: (description: Description) => description.yaml() };

/** Under two names each, because clients of the reference know a version 2 and a version 3. */
const files: readonly DocumentFile[] = [
  { name: 'openapi.json', operationId: 'openApiJson', ...json },
  { name: 'openapi.yaml', operationId: 'openApiYaml', ...yaml },
  { name: 'openapi3.json', operationId: 'openApi3Json', ...json },
  { name: 'openapi3.yaml', operationId: 'openApi3Yaml', ...yaml },
];

function fileRoute({ name, operationId, contentType, text }: DocumentFile): Route {
  return defineRoute({
    method: 'GET',
    path: `${path}/${name}`,
    access: 'public',
    operationId,
    summary: 'Get this document.',
    responses: { 200: { description: 'OpenAPI 3.1.', contentTypes: [contentType] } },
    handle: async (_, { description }) => ({ kind: 'text', status: 200, contentType, text: await text(description) }),
  });
}

/** The description of the API, for programs and for people. */
export const documentationRoutes: readonly Route[] = [pageRoute, assetRoute, ...files.map(fileRoute)];
