import { z } from 'zod';
import { createRow, deleteRow, rowOf, updateRow } from '../../../control/configurations/change-rows.ts';
import { createRowBody, noteBody, stateBody, updateRowBody } from '../../schemas/configuration-body.ts';
import { rowSchema, rowView } from '../../views/configuration-view.ts';
import { jsonAnswer } from '../../route/json-answer.ts';
import { defineChange, defineRoute } from '../../route/route.ts';
import { atBothPlaces, configurationKeyOf, pathOf, rowIdOf } from './place.ts';
import { refusals } from './refusals.ts';

const all = '/components/{componentId}/configs/{configurationId}/rows';
const one = `${all}/{rowId}`;
const record = { description: 'The row.', schema: rowSchema };

export const listRowsRoutes = atBothPlaces((place) =>
  defineRoute({
    method: 'GET',
    path: `${place.base}${all}`,
    access: 'readComponent',
    operationId: place.operation('listConfigurationRows'),
    summary: 'List the rows of a configuration.',
    params: pathOf.configuration(place),
    responses: { 200: { description: 'Rows, in their order.', schema: z.array(rowSchema) } },
    handle: async ({ params }, { configurations }, { signal }) => {
      const { rows } = await configurations.get(configurationKeyOf(params), { signal });
      return jsonAnswer(200, rows.map(rowView));
    },
  }),
);

export const createRowRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'POST',
    path: `${place.base}${all}`,
    access: 'writeComponent',
    operationId: place.operation('createConfigurationRow'),
    summary: 'Add a row to a configuration.',
    params: pathOf.configuration(place),
    bodyKind: 'fields',
    body: createRowBody,
    refuses: refusals('configurationAlreadyExists', 'configurationCountLimitReached'),
    responses: { 201: record },
    handle: async ({ params, body: { rowId, ...wanted } }, context, { change, signal }) => {
      const key = configurationKeyOf(params);
      return jsonAnswer(201, rowView(await createRow(context, { key, rowId, wanted, change }, { signal })));
    },
  }),
);

export const getRowRoutes = atBothPlaces((place) =>
  defineRoute({
    method: 'GET',
    path: `${place.base}${one}`,
    access: 'readComponent',
    operationId: place.operation('getConfigurationRow'),
    summary: 'Get a row of a configuration.',
    params: pathOf.row(place),
    responses: { 200: record },
    handle: async ({ params }, { configurations }, { signal }) => {
      const configuration = await configurations.get(configurationKeyOf(params), { signal });
      return jsonAnswer(200, rowView(rowOf(configuration, rowIdOf(params))));
    },
  }),
);

export const updateRowRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'PUT',
    path: `${place.base}${one}`,
    access: 'writeComponent',
    operationId: place.operation('updateConfigurationRow'),
    summary: 'Change a row. What is absent stays; without a change there is no version.',
    params: pathOf.row(place),
    bodyKind: 'fields',
    body: updateRowBody,
    refuses: refusals(),
    responses: { 200: record },
    handle: async ({ params, body: wanted }, context, { change, signal }) => {
      const [key, rowId] = [configurationKeyOf(params), rowIdOf(params)];
      return jsonAnswer(200, rowView(await updateRow(context, { key, rowId, wanted, change }, { signal })));
    },
  }),
);

export const setRowStateRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'PUT',
    path: `${place.base}${one}/state`,
    access: 'writeComponent',
    operationId: place.operation('setConfigurationRowState'),
    summary: 'Replace the state of a row, which makes no version.',
    params: pathOf.row(place),
    bodyKind: 'fields',
    body: stateBody,
    refuses: refusals(),
    responses: { 200: record },
    handle: async ({ params, body: wanted }, context, { change, signal }) => {
      const [key, rowId] = [configurationKeyOf(params), rowIdOf(params)];
      return jsonAnswer(200, rowView(await updateRow(context, { key, rowId, wanted, change }, { signal })));
    },
  }),
);

export const deleteRowRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'DELETE',
    path: `${place.base}${one}`,
    access: 'writeComponent',
    operationId: place.operation('deleteConfigurationRow'),
    summary: 'Delete a row for good.',
    params: pathOf.row(place),
    bodyKind: 'fields',
    body: noteBody,
    refuses: refusals(),
    responses: { 204: { description: 'It is gone.' } },
    handle: async ({ params, body: { changeDescription } }, context, { change, signal }) => {
      const [key, rowId] = [configurationKeyOf(params), rowIdOf(params)];
      await deleteRow(context, { key, rowId, changeDescription, change }, { signal });
      return { kind: 'empty', status: 204 };
    },
  }),
);
