import { z } from 'zod';
import { describeSettings, type SettingLevels } from '../../../core/settings/describe-settings.ts';
import { patchSinkSettings, patchSourceSettings } from '../../../control/operations/patch-settings.ts';
import type { Parts } from '../../../control/parts.ts';
import type { Sink } from '../../../core/sink.ts';
import type { Source } from '../../../core/source.ts';
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
        withoutEffect: z.string().optional().meta({
          description: 'Why the setting changes nothing in this installation or for this source; absent when it does.',
        }),
      }),
    ),
  })
  .meta({ id: 'SettingsResult' });

const responses = { 200: { description: 'All settings of this level, sorted by key, with effective values.', schema } };

type Place = Pick<Parts, 'hasOwnLog' | 'schemaRegistry' | 'defaults'>;

function settingsReply({ hasOwnLog, schemaRegistry, defaults = {} }: Place, source: Source, sink?: Sink): Reply {
  const levels: SettingLevels = {
    defaults,
    source: source.settings,
    ...(sink === undefined ? {} : { sink: sink.settings }),
  };
  const place = { sourceType: source.type, hasOwnLog, hasRegistry: schemaRegistry !== undefined };
  return ok({ settings: describeSettings(levels, place) });
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
  handle: async ({ params }, context, { signal }) =>
    settingsReply(context, await context.definitions.source(sourceKeyOf(params), { signal })),
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
    return settingsReply(context, await patchSourceSettings(context, { key, ...patchOf(body), change }, { signal }));
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
  handle: async ({ params }, context, { signal }) => {
    const key = sinkKeyOf(params);
    const source = await context.definitions.source(key, { signal });
    return settingsReply(context, source, await context.definitions.sink(key, { signal }));
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
    return settingsReply(context, source, sink);
  },
});
