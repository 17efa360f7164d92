import { Command } from 'commander';
import { asTypedFields } from '../as-typed-fields.ts';
import { connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson } from '../print.ts';
import { requireChange } from '../require-change.ts';
import type { RowShape } from './config-client.ts';
import { configurationCommand, nameOf, typedFields, withChange } from './configuration-command.ts';
import { printJsonText, printRow, printRows } from './print-configuration.ts';
import { readObject } from './read-object.ts';
import { valuesText } from './values-text.ts';

interface Options extends ClientOptions {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly file?: string;
  readonly state?: string;
  readonly var: readonly string[];
  readonly note?: string;
  readonly disable?: boolean;
  readonly enable?: boolean;
}

/** `millrace config row …` */
export function configRow(context: CommandContext): Command {
  return new Command('row')
    .description('Rows of a configuration; those of variables are sets of values')
    .addCommand(rowList(context))
    .addCommand(rowShow(context))
    .addCommand(rowCreate(context))
    .addCommand(rowUpdate(context))
    .addCommand(rowDelete(context));
}

function rowList(context: CommandContext): Command {
  const command = configurationCommand('list', 'List the rows of a configuration, in their order').action(
    async (componentId: string, configurationId: string, options: ClientOptions) => {
      const { configs } = await connect(context, options);
      const { rows } = await configs.get(nameOf(componentId, configurationId, options));
      if (options.json) printJson(context.terminal, rows);
      else printRows(context.terminal, rows);
    },
  );
  return withExamples(command, [['config row list variables cities', 'the sets of values']]);
}

function rowShow(context: CommandContext): Command {
  const command = rowCommand('show', 'Show a row as JSON; secrets are shown encrypted')
    .option('--only', 'only its configuration, as "config row update --file" takes it')
    .action(async (componentId: string, configurationId: string, ...[rowId, options]: [string, Shown]) => {
      const { configs } = await connect(context, options);
      const text = await configs.rowText({ ...nameOf(componentId, configurationId, options), rowId });
      printJsonText(context.terminal, text, options.only === true ? 'configuration' : undefined);
    });
  return withExamples(command, [['config row show variables cities brno --only', 'its values']]);
}

interface Shown extends ClientOptions {
  readonly only?: boolean;
}

function rowCreate(context: CommandContext): Command {
  const command = withVariables(withChange(configurationCommand('create', 'Add a row behind the others')))
    .option('--id <id>', 'id of the row (default: a number)')
    .option('--name <name>', 'what people call it')
    .option('--disable', 'jobs skip it')
    .action(async (componentId: string, configurationId: string, options: Options) => {
      const fields = { ...(await fieldsOf(context, options)), rowId: options.id };
      const { configs } = await connect(context, options);
      const place = nameOf(componentId, configurationId, options);
      print(context, await asTypedFields(typedFields, configs.createRow(place, fields)), options);
    });
  return withExamples(command, [
    ['config row create variables cities --id brno --var city=Brno --var limit=20', 'a set of values'],
    ['config row create generic-extractor shop --name Orders --file orders.json', 'a part with parameters of its own'],
  ]);
}

function rowUpdate(context: CommandContext): Command {
  const command = withVariables(withChange(rowCommand('update', 'Change a row; what is not given stays')))
    .option('--name <name>', 'another name; the id stays')
    .option('--disable', 'jobs skip it')
    .option('--enable', 'jobs run it again')
    .action(async (componentId: string, configurationId: string, ...[rowId, options]: [string, Options]) => {
      const { name, description, file, state, disable, enable } = options;
      const values = options.var.length === 0 ? undefined : options.var;
      requireChange({ name, description, file, var: values, state, disable, enable });
      const fields = await fieldsOf(context, options);
      const { configs } = await connect(context, options);
      const place = { ...nameOf(componentId, configurationId, options), rowId };
      print(context, await asTypedFields(typedFields, configs.updateRow(place, fields)), options);
    });
  return withExamples(command, [
    ['config row update variables cities brno --var city=Brno --var limit=50', 'these values instead of all before'],
    ['config row update generic-extractor shop orders --disable', 'jobs skip it until --enable'],
  ]);
}

function rowDelete(context: CommandContext): Command {
  const { terminal } = context;
  const command = rowCommand('delete', 'Delete a row for good; "config rollback" has it in versions before')
    .option('--note <text>', 'what is said of the version')
    .action(async (componentId: string, configurationId: string, ...[rowId, options]: [string, Options]) => {
      const { configs } = await connect(context, options);
      await configs.removeRow({ ...nameOf(componentId, configurationId, options), rowId }, options.note);
      if (options.json) printJson(terminal, { id: rowId, isDeleted: true });
      else terminal.stdout.write(`Row ${rowId} has been deleted.\n`);
    });
  return withExamples(command, [['config row delete variables cities brno', 'the others stay']]);
}

function rowCommand(name: string, summary: string): Command {
  return configurationCommand(name, summary).argument('<row>', 'id of the row');
}

function withVariables(command: Command): Command {
  const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];
  return command.option(
    '--var <name=value>',
    'instead of a file: a value of variables; may be given again',
    collect,
    [],
  );
}

async function fieldsOf({ terminal }: CommandContext, options: Options) {
  const { name, description, disable, enable, note: changeDescription } = options;
  const configuration = valuesText(options) ?? (await readObject(terminal, options.file));
  const isDisabled = disable === true ? true : enable === true ? false : undefined;
  const state = await readObject(terminal, options.state);
  return { name, description, configuration, state, isDisabled, changeDescription };
}

function print({ terminal }: CommandContext, row: RowShape, { json }: ClientOptions): void {
  if (json) printJson(terminal, row);
  else printRow(terminal, row);
}
