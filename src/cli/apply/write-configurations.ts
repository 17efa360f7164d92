import type { ConfigurationDeclaration, DeclaredPart, ScheduleDeclaration } from './configuration-declaration.ts';
import { withoutSecrets } from './declared-secrets.ts';

/** Configurations by component and id, as a file has them: secrets as names of variables, and without what goes without saying. */
export function writtenConfigurations(configurations: readonly ConfigurationDeclaration[]): object {
  const components = Map.groupBy(configurations, ({ componentId }) => componentId);
  return Object.fromEntries(
    [...components].map(([componentId, all]) => [
      componentId,
      Object.fromEntries(all.map((one) => [one.configurationId, written(one)])),
    ]),
  );
}

function written({ configurationId, rows, schedule, ...part }: ConfigurationDeclaration): object {
  const owner = [configurationId];
  return {
    ...writtenPart(part, configurationId, owner),
    ...(rows.length === 0
      ? {}
      : {
          rows: Object.fromEntries(
            rows.map(({ rowId, ...row }) => [rowId, writtenPart(row, rowId, [...owner, rowId])]),
          ),
        }),
    ...(schedule === undefined ? {} : { schedule: writtenSchedule(schedule) }),
  };
}

function writtenPart(part: DeclaredPart, id: string, owner: readonly string[]): object {
  const { name, description, disabled, configuration } = part;
  return {
    ...(name === id ? {} : { name }),
    ...(description === '' ? {} : { description }),
    ...(disabled ? { disabled } : {}),
    ...(Object.keys(configuration).length === 0 ? {} : { configuration: withoutSecrets(configuration, owner) }),
  };
}

function writtenSchedule({ cron, timeZone, disabled, values, valuesId }: ScheduleDeclaration): object {
  return {
    cron,
    ...(timeZone === 'UTC' ? {} : { timeZone }),
    ...(disabled ? { disabled } : {}),
    ...(Object.keys(values).length === 0 ? {} : { values }),
    ...(valuesId === undefined ? {} : { valuesId }),
  };
}
