import { z } from 'zod';
import { describeSettings, type SettingLevels } from '../../../core/settings/describe-settings.ts';
import { patchSinkSettings, patchSourceSettings } from '../../../control/operations/patch-settings.ts';
import { sinkPath, sourcePath } from '../../schemas/path.ts';
import { settingsBody, type SettingsBody } from '../../schemas/settings-body.ts';
import { sinkKeyOf, sourceKeyOf } from '../../schemas/key-of-path.ts';
import { sinkKind, sourceKind } from './object-kind.ts';
import { defineChange, defineRoute, ok, type Reply } from '../../route/route.ts';

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const schema = z
  .object({
    settings: z.array(
      z.object({
        key: z.string(),
        type: z.enum(['string', 'int', 'bool', '[]string']),
        description: z.string(),
        value,
        defaultValue: value,
        overwritten: z.boolean().meta({ description: 'Overridden at this level.' }),
        protected: z.boolean(),
        validation: z.string().optional(),
        inheritedFrom: z.enum(['default', 'source', 'sink']),
      }),
    ),
  })
  .meta({ id: 'SettingsResult' });

const responses = { 200: { description: 'All settings of this level, sorted by key, with effective values.', schema } };

function settingsReply(levels: SettingLevels): Reply {
  return ok({ settings: describeSettings(levels) });
}

function patchOf({ settings = [], changeDescription }: SettingsBody) {
  return { settings, description: changeDescription };
}

const ofSource = `${sourceKind.path}/settings`;
const ofSink = `${sinkKind.path}/settings`;

export const getSourceSettingsRoute = defineRoute({
  method: 'GET',
  path: ofSource,
  access: 'read',
  operationId: 'getSourceSettings',
  summary: 'Get the settings of a source.',
  params: sourcePath,
  responses,
  handle: async ({ params }, { definitions }, { signal }) =>
    settingsReply({ source: (await definitions.source(sourceKeyOf(params), { signal })).settings }),
});

export const patchSourceSettingsRoute = defineChange({
  method: 'PATCH',
  path: ofSource,
  access: 'write',
  operationId: 'updateSourceSettings',
  summary: 'Change settings of a source. Changed conditions move what is waiting in its sinks at once.',
  params: sourcePath,
  body: settingsBody,
  responses,
  refuses: ['versionCountLimitReached'],
  handle: async ({ params, body }, context, { change, signal }) => {
    const key = sourceKeyOf(params);
    return settingsReply({
      source: (await patchSourceSettings(context, { key, ...patchOf(body), change }, { signal })).settings,
    });
  },
});

export const getSinkSettingsRoute = defineRoute({
  method: 'GET',
  path: ofSink,
  access: 'read',
  operationId: 'getSinkSettings',
  summary: 'Get the settings of a sink, inherited ones included.',
  params: sinkPath,
  responses,
  handle: async ({ params }, { definitions }, { signal }) => {
    const key = sinkKeyOf(params);
    const source = await definitions.source(key, { signal });
    return settingsReply({ source: source.settings, sink: (await definitions.sink(key, { signal })).settings });
  },
});

export const patchSinkSettingsRoute = defineChange({
  method: 'PATCH',
  path: ofSink,
  access: 'write',
  operationId: 'updateSinkSettings',
  summary: 'Change settings of a sink. Changed conditions move what is waiting at once.',
  params: sinkPath,
  body: settingsBody,
  responses,
  refuses: ['versionCountLimitReached'],
  handle: async ({ params, body }, context, { change, signal }) => {
    const key = sinkKeyOf(params);
    const sink = await patchSinkSettings(context, { key, ...patchOf(body), change }, { signal });
    const source = await context.definitions.source(key, { signal });
    return settingsReply({ source: source.settings, sink: sink.settings });
  },
});
