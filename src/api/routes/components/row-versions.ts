import { z } from 'zod';
import { copyRow, rollbackRow } from '../../../control/configurations/rollback-row.ts';
import { findRowVersion, rowVersions } from '../../../control/configurations/row-versions.ts';
import { limits } from '../../../core/limits.ts';
import { copyRowBody, noteBody } from '../../schemas/configuration-body.ts';
import { keptRowView, rowSchema, rowVersionSchema, rowView } from '../../views/configuration-view.ts';
import { jsonAnswer } from '../../route/json-answer.ts';
import { defineChange, defineRoute } from '../../route/route.ts';
import { atBothPlaces, configurationKeyOf, pathOf, rowIdOf, versionOf } from './place.ts';
import { refusals } from './refusals.ts';
import { versionNumber } from './version-number.ts';
import { versionsQuery } from './versions.ts';

const all = '/components/{componentId}/configs/{configurationId}/rows/{rowId}/versions';
const one = `${all}/{versionNumber}`;

export const listRowVersionsRoutes = atBothPlaces((place) =>
  defineRoute({
    method: 'GET',
    path: `${place.base}${all}`,
    access: 'readComponent',
    operationId: place.operation('listConfigurationRowVersions'),
    summary: 'List the versions of a row, the newest first, as far as versions of its configuration are kept.',
    params: pathOf.row(place),
    query: versionsQuery,
    responses: { 200: { description: 'Versions.', schema: z.array(rowVersionSchema) } },
    handle: async ({ params, query: { limit = limits.listPage, offset = 0 } }, context, { signal }) => {
      const [key, rowId] = [configurationKeyOf(params), rowIdOf(params)];
      const shown: object[] = [];
      let left = offset;
      for await (const row of rowVersions(context, { key, rowId }, { signal })) {
        if (left > 0) left -= 1;
        else if (shown.push(keptRowView(row)) === limit) break;
      }
      return jsonAnswer(200, shown);
    },
  }),
);

export const getRowVersionRoutes = atBothPlaces((place) =>
  defineRoute({
    method: 'GET',
    path: `${place.base}${one}`,
    access: 'readComponent',
    operationId: place.operation('getConfigurationRowVersion'),
    summary: 'Get what a row was in a version of its own.',
    params: pathOf.row(place).extend({ versionNumber }),
    responses: { 200: { description: 'The version.', schema: rowVersionSchema } },
    handle: async ({ params }, context, { signal }) => {
      const [key, rowId, number] = [configurationKeyOf(params), rowIdOf(params), versionOf(params)];
      return jsonAnswer(200, keptRowView(await findRowVersion(context, { key, rowId, number }, { signal })));
    },
  }),
);

export const rollbackRowRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'POST',
    path: `${place.base}${one}/rollback`,
    access: 'writeComponent',
    operationId: place.operation('rollbackConfigurationRow'),
    summary: 'Make a row what it was in a version of its own. Its state stays.',
    params: pathOf.row(place).extend({ versionNumber }),
    bodyKind: 'fields',
    body: noteBody,
    refuses: refusals(),
    responses: { 201: { description: 'The row.', schema: rowSchema } },
    handle: async ({ params, body: { changeDescription } }, context, { change, signal }) => {
      const [key, rowId, number] = [configurationKeyOf(params), rowIdOf(params), versionOf(params)];
      const row = await rollbackRow(context, { key, rowId, number, changeDescription, change }, { signal });
      return jsonAnswer(201, rowView(row));
    },
  }),
);

export const copyRowRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'POST',
    path: `${place.base}${one}/create`,
    access: 'writeComponent',
    operationId: place.operation('copyConfigurationRow'),
    summary: 'Add a row that is like a version of another one.',
    params: pathOf.row(place).extend({ versionNumber }),
    bodyKind: 'fields',
    body: copyRowBody,
    refuses: refusals('configurationAlreadyExists', 'configurationCountLimitReached'),
    responses: { 201: { description: 'The row that was added.', schema: rowSchema } },
    handle: async ({ params, body: wanted }, context, { change, signal }) => {
      const [key, rowId, number] = [configurationKeyOf(params), rowIdOf(params), versionOf(params)];
      return jsonAnswer(201, rowView(await copyRow(context, { key, rowId, number, wanted, change }, { signal })));
    },
  }),
);
