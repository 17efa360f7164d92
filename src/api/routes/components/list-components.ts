import { z } from 'zod';
import { components, type Component } from '../../../core/component.ts';
import type { Configuration } from '../../../core/configuration.ts';
import type { BranchId } from '../../../core/ids.ts';
import { limits } from '../../../core/limits.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import { mayReadComponent } from '../../../core/token.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { ApiContext } from '../../api-context.ts';
import { maybe } from '../../schemas/field.ts';
import { componentSchema, componentView } from '../../views/component-view.ts';
import {
  configurationSchema,
  configurationView,
  listedConfigurationSchema,
  recordView,
} from '../../views/configuration-view.ts';
import { jsonAnswer } from '../../route/json-answer.ts';
import { defineRoute } from '../../route/route.ts';
import { atBothPlaces, branchIn, componentIn, pathOf } from './place.ts';

const flag = maybe(z.enum(['0', '1', 'true', 'false']));
const isDeleted = flag.meta({ description: '`1`: those that are deleted and can be restored, instead of the others.' });

const listed = componentSchema
  .extend({ configurations: z.array(listedConfigurationSchema) })
  .meta({ id: 'ComponentWithConfigurations' });

export const listComponentsRoutes = atBothPlaces((place) =>
  defineRoute({
    method: 'GET',
    path: `${place.base}/components`,
    access: 'readComponent',
    operationId: place.operation('listComponents'),
    summary: 'List the components that the token may see, with their configurations.',
    params: place.branch,
    query: z.object({
      isDeleted,
      componentType: maybe(z.string()).meta({ description: 'Only components of this type: `extractor`, `other`.' }),
      include: maybe(z.string()).meta({
        description: 'Separated by commas: `configuration`, `rows`, `state` are shown, too.',
      }),
    }),
    responses: { 200: { description: 'Components, in a fixed order.', schema: z.array(listed) } },
    refuses: ['payloadTooLarge'],
    handle: async ({ params, query }, context, { token, signal }) => {
      const bytes = new ShownBytes();
      const branchId = branchIn(params);
      const wanted = new Set((query.include ?? '').split(',').map((name) => name.trim()));
      const shown: object[] = [];
      for (const component of components) {
        if (token === undefined || !mayReadComponent(token, component.id)) continue;
        if (query.componentType !== undefined && query.componentType !== component.type) continue;
        const configurations: object[] = [];
        const found = ofComponent(context, { branchId, component }, { ...given(query), signal });
        for await (const one of found) {
          bytes.add(one, wanted.size > 1 || !wanted.has(''));
          configurations.push(includedView(one, wanted));
        }
        shown.push({ ...componentView(component), configurations });
      }
      return jsonAnswer(200, shown);
    },
  }),
);

export const getComponentRoutes = atBothPlaces((place) =>
  defineRoute({
    method: 'GET',
    path: `${place.base}/components/{componentId}`,
    access: 'readComponent',
    operationId: place.operation('getComponent'),
    summary: 'Get a component.',
    params: pathOf.component(place),
    responses: { 200: { description: 'The component.', schema: componentSchema } },
    handle: ({ params }) => {
      const component = componentIn(params);
      branchIn(params);
      return Promise.resolve(jsonAnswer(200, componentView(component)));
    },
  }),
);

export const listConfigurationsRoutes = atBothPlaces((place) =>
  defineRoute({
    method: 'GET',
    path: `${place.base}/components/{componentId}/configs`,
    access: 'readComponent',
    operationId: place.operation('listConfigurations'),
    summary: 'List the configurations of a component, with their rows.',
    params: pathOf.component(place),
    query: z.object({ isDeleted }),
    responses: { 200: { description: 'Configurations, sorted by id.', schema: z.array(configurationSchema) } },
    refuses: ['payloadTooLarge'],
    handle: async ({ params, query }, context, { signal }) => {
      const bytes = new ShownBytes();
      const shown: object[] = [];
      const component = componentIn(params);
      const found = ofComponent(context, { branchId: branchIn(params), component }, { ...given(query), signal });
      for await (const one of found) {
        bytes.add(one, true);
        shown.push(configurationView(one));
      }
      return jsonAnswer(200, shown);
    },
  }),
);

function given(query: { readonly isDeleted?: string | undefined }): { readonly deleted: boolean } {
  return { deleted: query.isDeleted === '1' || query.isDeleted === 'true' };
}

interface Listed {
  readonly branchId: BranchId;
  readonly component: Component;
}

function ofComponent(
  { configurations }: ApiContext,
  { branchId, component }: Listed,
  options: Waiting & { readonly deleted: boolean },
): AsyncGenerator<Configuration> {
  return configurations.list({ branchId, componentId: component.id }, options);
}

function includedView(configuration: Configuration, wanted: ReadonlySet<string>): object {
  const whole = configurationView(configuration);
  const fields = Object.entries(whole).filter(([name]) => wanted.has(name === 'rowsSortOrder' ? 'rows' : name));
  return { ...recordView(configuration), ...Object.fromEntries(fields) };
}

/** An answer has its bound: past it the configurations are asked for one by one. */
class ShownBytes {
  #bytes = 0;

  add({ configuration, state, rows }: Configuration, isWhole: boolean): void {
    if (!isWhole) return;
    for (const part of [{ configuration, state }, ...rows])
      this.#bytes += part.configuration.length + part.state.length;
    if (this.#bytes <= limits.shownConfigurationsBytes) return;
    const message = `the configurations have more than the ${limits.shownConfigurationsBytes} bytes that one answer may have; list them with GET /v2/storage/components, and get each by its id`;
    throw new MillraceError('input.tooLarge', message);
  }
}
