import { z } from 'zod';
import { components } from '../../../core/component.ts';
import { componentSchema, componentView } from '../../views/component-view.ts';
import { defineRoute, ok } from '../../route/route.ts';

const schema = z
  .object({
    api: z.string(),
    version: z.string(),
    documentation: z.url(),
    components: z.array(componentSchema),
    services: z
      .array(z.object({ id: z.string(), url: z.url() }))
      .meta({ description: 'The interfaces of the installation: `storage`, `queue` for jobs, `stream` for sources.' }),
  })
  .meta({ id: 'StorageIndex' });

export const storageIndexRoute = defineRoute({
  method: 'GET',
  path: '/v2/storage',
  access: 'public',
  operationId: 'storageIndex',
  summary: 'List the components, and where the interfaces of the installation are.',
  responses: { 200: { description: 'Components and services.', schema } },
  handle: (_, { addresses }) => {
    const services = ['storage', 'queue', 'stream'].map((id) => ({ id, url: addresses.admin() }));
    const documentation = addresses.documentation();
    const shown = components.map(componentView);
    return Promise.resolve(ok({ api: 'storage', version: 'v2', documentation, components: shown, services }));
  },
});
