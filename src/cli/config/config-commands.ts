import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { configCopy } from './copy.ts';
import { configCreate } from './create.ts';
import { configDelete } from './delete.ts';
import { configList } from './list.ts';
import { configRestore } from './restore.ts';
import { configRollback } from './rollback.ts';
import { configRow } from './row-commands.ts';
import { configSchedule } from './schedule-commands.ts';
import { configShow } from './show.ts';
import { configUpdate } from './update.ts';
import { configVersions } from './versions.ts';

/** `millrace config …` */
export function configCommands(context: CommandContext): Command {
  return new Command('config')
    .description('Configurations of components: extractions, variables, shared code')
    .addCommand(configList(context))
    .addCommand(configShow(context))
    .addCommand(configCreate(context))
    .addCommand(configUpdate(context))
    .addCommand(configDelete(context))
    .addCommand(configRestore(context))
    .addCommand(configCopy(context))
    .addCommand(configVersions(context))
    .addCommand(configRollback(context))
    .addCommand(configRow(context))
    .addCommand(configSchedule(context));
}
