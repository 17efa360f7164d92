import { Command } from 'commander';
import { asTypedFields } from '../as-typed-fields.ts';
import { connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printFields, printJson } from '../print.ts';
import { namedValue } from '../variables/named-value.ts';
import type { ScheduleShape } from './config-client.ts';
import { configurationCommand, nameOf } from './configuration-command.ts';

interface Options extends ClientOptions {
  readonly cron: string;
  readonly timeZone?: string;
  readonly var: readonly string[];
  readonly values?: string;
  readonly disable?: boolean;
}

const typed = { cron: '--cron', timeZone: '--time-zone', variableValuesId: '--values' };

/** `millrace config schedule …` */
export function configSchedule(context: CommandContext): Command {
  return new Command('schedule')
    .description('When a configuration is run without anybody asking')
    .addCommand(scheduleSet(context))
    .addCommand(scheduleShow(context))
    .addCommand(scheduleDelete(context));
}

function scheduleSet(context: CommandContext): Command {
  const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];
  const command = configurationCommand('set', 'Give a configuration a schedule instead of the one that it has')
    .requiredOption('--cron <expression>', 'minute, hour, day of the month, month, day of the week')
    .option('--time-zone <zone>', 'whose clock that is, a name as Europe/Prague (default: UTC)')
    .option('--var <name=value>', 'value of a variable for its jobs; may be given again', collect, [])
    .option('--values <row>', 'instead: the row of the variables whose values its jobs have')
    .option('--disable', 'it runs nothing until it is set again without this')
    .action(async (componentId: string, configurationId: string, options: Options) => {
      const { cron, timeZone, values: variableValuesId, disable } = options;
      const { configs } = await connect(context, options);
      const values = options.var.map(namedValue).map(([name, value]) => ({ name, value }));
      const variableValuesData = values.length === 0 ? undefined : { values };
      const body = { cron, timeZone, isEnabled: disable !== true, variableValuesId, variableValuesData };
      const place = nameOf(componentId, configurationId, options);
      print(context, await asTypedFields(typed, configs.setSchedule(place, body)), options);
    });
  return withExamples(command, [
    ['config schedule set generic-extractor shop --cron "0 3 * * *"', 'every night at 3:00 UTC'],
    [
      'config schedule set generic-extractor shop --cron "*/15 6-18 * * MON-FRI" --time-zone Europe/Prague --var city=Brno',
      'every quarter of an hour by day, with a value of its own',
    ],
  ]);
}

function scheduleShow(context: CommandContext): Command {
  const command = configurationCommand(
    'show',
    'Show the schedule, its last and its next run, and what was missed',
  ).action(async (componentId: string, configurationId: string, options: ClientOptions) => {
    const { configs } = await connect(context, options);
    print(context, await configs.schedule(nameOf(componentId, configurationId, options)), options);
  });
  return withExamples(command, [['config schedule show generic-extractor shop', 'when it runs next']]);
}

function scheduleDelete(context: CommandContext): Command {
  const { terminal } = context;
  const command = configurationCommand('delete', 'Delete the schedule; the configuration stays, and so do jobs').action(
    async (componentId: string, configurationId: string, options: ClientOptions) => {
      const { configs } = await connect(context, options);
      await configs.removeSchedule(nameOf(componentId, configurationId, options));
      if (options.json) printJson(terminal, { id: configurationId, schedule: null });
      else terminal.stdout.write(`The schedule of ${configurationId} has been deleted.\n`);
    },
  );
  return withExamples(command, [['config schedule delete generic-extractor shop', 'it is run by hand alone']]);
}

const reasons: Readonly<Record<NonNullable<ScheduleShape['lastMissed']>['reason'], string>> = {
  nobodyRan: 'no process kept schedules',
  stillRunning: 'its last job had not ended',
  tooManyJobs: 'too many jobs waited',
};

function print({ terminal }: CommandContext, schedule: ScheduleShape, { json }: ClientOptions): void {
  if (json) return printJson(terminal, schedule);
  const { cron, timeZone, isEnabled, variableValuesId, variableValuesData, lastRun, missed, lastMissed } = schedule;
  const values = variableValuesData.values.map(({ name, value }) => `${name}=${value}`);
  printFields(terminal, {
    cron,
    'time zone': timeZone,
    state: isEnabled ? 'enabled' : 'disabled',
    values: variableValuesId ?? (values.length === 0 ? undefined : values.join(', ')),
    'next run': schedule.nextRun ?? 'none',
    'last run': lastRun === null ? undefined : `${lastRun.plannedFor}, job ${lastRun.jobId}`,
    missed:
      missed === 0 || lastMissed === null
        ? undefined
        : `${missed}, ${lastMissed.plannedFor}: ${reasons[lastMissed.reason]}`,
  });
}
