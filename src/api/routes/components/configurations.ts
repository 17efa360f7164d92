import { updateConfiguration } from '../../../control/configurations/change-configuration.ts';
import { createConfiguration } from '../../../control/configurations/create-configuration.ts';
import { deleteConfiguration, restoreConfiguration } from '../../../control/configurations/delete-configuration.ts';
import { createConfigurationBody, stateBody, updateConfigurationBody } from '../../schemas/configuration-body.ts';
import { configurationSchema, configurationView } from '../../views/configuration-view.ts';
import { jsonAnswer } from '../../route/json-answer.ts';
import { defineChange, defineRoute } from '../../route/route.ts';
import { atBothPlaces, componentKeyOf, configurationKeyOf, pathOf } from './place.ts';
import { refusals } from './refusals.ts';

const all = '/components/{componentId}/configs';
const one = `${all}/{configurationId}`;
const record = { description: 'The configuration.', schema: configurationSchema };

export const createConfigurationRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'POST',
    path: `${place.base}${all}`,
    access: 'writeComponent',
    operationId: place.operation('createConfiguration'),
    summary: 'Create a configuration. One that is deleted comes back under its id, with what is given now.',
    params: pathOf.component(place),
    bodyKind: 'fields',
    body: createConfigurationBody,
    refuses: refusals('configurationAlreadyExists', 'configurationCountLimitReached'),
    responses: { 201: record },
    handle: async ({ params, body: { configurationId, ...wanted } }, context, { change, signal }) => {
      const component = componentKeyOf(params);
      const made = await createConfiguration(context, { component, configurationId, wanted, change }, { signal });
      return jsonAnswer(201, configurationView(made));
    },
  }),
);

export const getConfigurationRoutes = atBothPlaces((place) =>
  defineRoute({
    method: 'GET',
    path: `${place.base}${one}`,
    access: 'readComponent',
    operationId: place.operation('getConfiguration'),
    summary: 'Get a configuration with its rows.',
    params: pathOf.configuration(place),
    responses: { 200: record },
    handle: async ({ params }, { configurations }, { signal }) =>
      jsonAnswer(200, configurationView(await configurations.get(configurationKeyOf(params), { signal }))),
  }),
);

export const updateConfigurationRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'PUT',
    path: `${place.base}${one}`,
    access: 'writeComponent',
    operationId: place.operation('updateConfiguration'),
    summary: 'Change a configuration. What is absent stays; without a change there is no version.',
    params: pathOf.configuration(place),
    bodyKind: 'fields',
    body: updateConfigurationBody,
    refuses: refusals(),
    responses: { 200: record },
    handle: async ({ params, body: { rowsSortOrder, ...wanted } }, context, { change, signal }) => {
      const key = configurationKeyOf(params);
      const after = await updateConfiguration(context, { key, wanted, rowsSortOrder, change }, { signal });
      return jsonAnswer(200, configurationView(after));
    },
  }),
);

export const setConfigurationStateRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'PUT',
    path: `${place.base}${one}/state`,
    access: 'writeComponent',
    operationId: place.operation('setConfigurationState'),
    summary: 'Replace the state of a configuration, which makes no version.',
    params: pathOf.configuration(place),
    bodyKind: 'fields',
    body: stateBody,
    refuses: refusals(),
    responses: { 200: record },
    handle: async ({ params, body: wanted }, context, { change, signal }) => {
      const key = configurationKeyOf(params);
      return jsonAnswer(
        200,
        configurationView(await updateConfiguration(context, { key, wanted, change }, { signal })),
      );
    },
  }),
);

export const deleteConfigurationRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'DELETE',
    path: `${place.base}${one}`,
    access: 'writeComponent',
    operationId: place.operation('deleteConfiguration'),
    summary: 'Delete a configuration: it can be restored. One that is deleted already is gone for good.',
    params: pathOf.configuration(place),
    refuses: ['configurationConflict'],
    responses: { 204: { description: 'It is deleted.' } },
    handle: async ({ params }, context, { change, signal }) => {
      await deleteConfiguration(context, { key: configurationKeyOf(params), change }, { signal });
      return { kind: 'empty', status: 204 };
    },
  }),
);

export const restoreConfigurationRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'POST',
    path: `${place.base}${one}/restore`,
    access: 'writeComponent',
    operationId: place.operation('restoreConfiguration'),
    summary: 'Bring a deleted configuration back as it was.',
    params: pathOf.configuration(place),
    refuses: ['configurationConflict'],
    responses: { 201: record },
    handle: async ({ params }, context, { change, signal }) => {
      const key = configurationKeyOf(params);
      return jsonAnswer(201, configurationView(await restoreConfiguration(context, { key, change }, { signal })));
    },
  }),
);
