import { z } from 'zod';
import { defineRoute, ok } from '../../route/route.ts';

export const rootRoute = defineRoute({
  method: 'GET',
  path: '/',
  access: 'public',
  operationId: 'root',
  summary: 'Lead to the API.',
  responses: {
    301: {
      description: 'To `/v1`.',
      contentTypes: ['text/plain', 'text/html'],
      headers: { Location: 'The path `/v1`.' },
    },
  },
  handle: async () => ({ kind: 'redirect', location: '/v1' }),
});

export const indexRoute = defineRoute({
  method: 'GET',
  path: '/v1',
  access: 'public',
  operationId: 'index',
  summary: 'Name the API and its documentation.',
  responses: { 200: { description: 'The name.', schema: z.object({ api: z.string(), documentation: z.url() }) } },
  handle: async (_, { addresses }) => ok({ api: 'stream', documentation: addresses.documentation() }),
});

export const healthCheckRoute = defineRoute({
  method: 'GET',
  path: '/health-check',
  access: 'public',
  operationId: 'healthCheck',
  summary: 'Answer when the process serves requests.',
  responses: { 200: { description: '`OK`.', contentTypes: ['text/plain'] } },
  handle: async () => ({ kind: 'text', status: 200, contentType: 'text/plain; charset=utf-8', text: 'OK' }),
});
