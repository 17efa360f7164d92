import { deleteSchedule, setSchedule } from '../../../control/configurations/change-schedule.ts';
import { noSchedule } from '../../../control/store/configurations.ts';
import type { ScheduleDefinition } from '../../../core/schedules/schedule.ts';
import { scheduleBody, type ScheduleBody } from '../../schemas/schedule-body.ts';
import { jobValuesOf } from '../../schemas/variable-values.ts';
import { scheduleSchema, scheduleView } from '../../views/schedule-view.ts';
import { defineChange, defineRoute, ok } from '../../route/route.ts';
import { atBothPlaces, configurationKeyOf, pathOf } from './place.ts';

const path = '/components/{componentId}/configs/{configurationId}/schedule';
const record = { description: 'The schedule.', schema: scheduleSchema };

export const getScheduleRoutes = atBothPlaces((place) =>
  defineRoute({
    method: 'GET',
    path: `${place.base}${path}`,
    access: 'readComponent',
    operationId: place.operation('getSchedule'),
    summary: 'Get the schedule of a configuration, with its last and its next run.',
    params: pathOf.configuration(place),
    responses: { 200: record },
    refuses: ['scheduleNotFound'],
    handle: async ({ params }, { configurations }, { signal }) => {
      const key = configurationKeyOf(params);
      const { isDisabled } = await configurations.get(key, { signal });
      const schedule = await configurations.findSchedule(key, { signal });
      if (schedule === undefined) throw noSchedule(key);
      return ok(scheduleView(schedule, { runs: !isDisabled }));
    },
  }),
);

export const setScheduleRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'PUT',
    path: `${place.base}${path}`,
    access: 'writeComponent',
    operationId: place.operation('setSchedule'),
    summary: 'Give a configuration a schedule, which runs it without anybody asking. What is absent has its default.',
    params: pathOf.configuration(place),
    body: scheduleBody,
    refuses: ['invalidSchedule', 'invalidJob', 'configurationConflict'],
    responses: { 200: record },
    handle: async ({ params, body }, context, { change, signal }) => {
      const key = configurationKeyOf(params);
      const schedule = await setSchedule(context, { key, definition: definitionOf(body), change }, { signal });
      const { isDisabled } = await context.configurations.get(key, { signal });
      return ok(scheduleView(schedule, { runs: !isDisabled }));
    },
  }),
);

export const deleteScheduleRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'DELETE',
    path: `${place.base}${path}`,
    access: 'writeComponent',
    operationId: place.operation('deleteSchedule'),
    summary: 'Remove the schedule of a configuration. A job that it has made goes on.',
    params: pathOf.configuration(place),
    refuses: ['scheduleNotFound', 'configurationConflict'],
    responses: { 204: { description: 'It is gone.' } },
    handle: async ({ params }, context, { change, signal }) => {
      await deleteSchedule(context, { key: configurationKeyOf(params), change }, { signal });
      return { kind: 'empty', status: 204 };
    },
  }),
);

function definitionOf({
  cron,
  timeZone = 'UTC',
  isEnabled = true,
  variableValuesId,
  variableValuesData,
}: ScheduleBody): ScheduleDefinition {
  return {
    cron: cron.trim().replaceAll(/\s+/g, ' '),
    timeZone,
    isEnabled,
    ...(variableValuesId !== undefined && { variableValuesId }),
    variableValues: jobValuesOf(variableValuesData),
  };
}
