import { z } from 'zod';
import { copyConfiguration, rollbackConfiguration } from '../../../control/configurations/rollback-configuration.ts';
import { oldestKept } from '../../../control/store/configurations.ts';
import { limits } from '../../../core/limits.ts';
import { copyBody, noteBody } from '../../schemas/configuration-body.ts';
import { integerText, maybe } from '../../schemas/field.ts';
import {
  configurationVersionSchema,
  keptRowView,
  versionEntrySchema,
  versionEntryView,
} from '../../views/configuration-view.ts';
import { JsonText } from '../../../core/json-text.ts';
import { jsonAnswer } from '../../route/json-answer.ts';
import { defineChange, defineRoute, type Reply } from '../../route/route.ts';
import { atBothPlaces, configurationKeyOf, pathOf, versionOf } from './place.ts';
import { refusals } from './refusals.ts';
import { versionNumber } from './version-number.ts';

const all = '/components/{componentId}/configs/{configurationId}/versions';
const one = `${all}/{versionNumber}`;

export const versionsQuery = z.object({
  limit: maybe(integerText({ name: 'limit', min: 1, max: limits.listPage })).meta({
    description: `So many, ${limits.listPage} when absent.`,
  }),
  offset: maybe(integerText({ name: 'offset', min: 0, max: 1_000_000_000 })).meta({
    description: 'So many of the newest are left out.',
  }),
});

export const listConfigurationVersionsRoutes = atBothPlaces((place) =>
  defineRoute({
    method: 'GET',
    path: `${place.base}${all}`,
    access: 'readComponent',
    operationId: place.operation('listConfigurationVersions'),
    summary: `List the versions of a configuration, the newest first. The last ${limits.versionsPerObject} are kept.`,
    params: pathOf.configuration(place),
    query: versionsQuery,
    responses: { 200: { description: 'Versions.', schema: z.array(versionEntrySchema) } },
    handle: async ({ params, query: { limit = limits.listPage, offset = 0 } }, { configurations }, { signal }) => {
      const configuration = await configurations.get(configurationKeyOf(params), { signal });
      const shown: object[] = [];
      const newest = configuration.version.number - offset;
      const oldest = oldestKept(configuration.version.number);
      for (let number = newest; number >= oldest && shown.length < limit; number -= 1) {
        const found = await configurations.findVersion(configuration, number, { signal });
        if (found !== undefined) shown.push(versionEntryView(found));
      }
      return jsonAnswer(200, shown);
    },
  }),
);

export const getConfigurationVersionRoutes = atBothPlaces((place) =>
  defineRoute({
    method: 'GET',
    path: `${place.base}${one}`,
    access: 'readComponent',
    operationId: place.operation('getConfigurationVersion'),
    summary: 'Get what a configuration and its rows were in a version.',
    params: pathOf.configuration(place).extend({ versionNumber }),
    responses: { 200: { description: 'The version.', schema: configurationVersionSchema } },
    handle: async ({ params }, { configurations }, { signal }) => {
      const configuration = await configurations.get(configurationKeyOf(params), { signal });
      const kept = await configurations.version(configuration, versionOf(params), { signal });
      const { configuration: text, rows } = kept.definition;
      const body = { ...versionEntryView(kept), configuration: new JsonText(text), rows: rows.map(keptRowView) };
      return jsonAnswer(200, body);
    },
  }),
);

export const rollbackConfigurationRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'POST',
    path: `${place.base}${one}/rollback`,
    access: 'writeComponent',
    operationId: place.operation('rollbackConfiguration'),
    summary: 'Make a configuration and its rows what they were in a version. States stay.',
    params: pathOf.configuration(place).extend({ versionNumber }),
    bodyKind: 'fields',
    body: noteBody,
    refuses: refusals(),
    responses: { 201: { description: 'The version that it has now.', schema: z.object({ version: z.int() }) } },
    handle: async ({ params, body: { changeDescription } }, context, { change, signal }) => {
      const [key, number] = [configurationKeyOf(params), versionOf(params)];
      const after = await rollbackConfiguration(context, { key, number, changeDescription, change }, { signal });
      return created({ version: after.version.number });
    },
  }),
);

export const copyConfigurationRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'POST',
    path: `${place.base}${one}/create`,
    access: 'writeComponent',
    operationId: place.operation('copyConfiguration'),
    summary: 'Create another configuration that is like a version, with its rows.',
    params: pathOf.configuration(place).extend({ versionNumber }),
    bodyKind: 'fields',
    body: copyBody,
    refuses: refusals('configurationAlreadyExists', 'configurationCountLimitReached'),
    responses: { 201: { description: 'The id of the copy.', schema: z.object({ id: z.string() }) } },
    handle: async ({ params, body: wanted }, context, { change, signal }) => {
      const [key, number] = [configurationKeyOf(params), versionOf(params)];
      const copy = await copyConfiguration(context, { key, number, wanted, change }, { signal });
      return created({ id: copy.configurationId });
    },
  }),
);

function created(body: object): Reply {
  return { kind: 'json', status: 201, body };
}
