import { Command } from 'commander';
import { MillraceError } from '../core/millrace-error.ts';
import { parseJsonText } from '../core/parse-json-text.ts';
import type { SettingShape } from './api-shapes.ts';
import type { SettingChange } from './client.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from './command-context.ts';
import { withObject } from './object-command.ts';
import { withNearestKeys } from './nearest-setting.ts';
import { pastePlace, PasteLines } from './paste/paste-lines.ts';
import { printJson, printTable } from './print.ts';

interface ShowOptions extends ClientOptions {
  readonly all: boolean;
}

type Kind = 'source' | 'sink';
const example: Readonly<Record<Kind, string>> = { source: 'shop', sink: 'shop orders' };

/** `millrace source settings …` and `millrace sink settings …` */
export function settingsCommands(context: CommandContext, kind: Kind): Command {
  return new Command('settings')
    .description(`Show and change the settings of a ${kind}`)
    .addCommand(settingsShow(context, kind))
    .addCommand(settingsSet(context, kind));
}

function settingsShow(context: CommandContext, kind: Kind): Command {
  const command = clientCommand('show', `Show the settings of a ${kind}`).option(
    '--all',
    'also the ones that only the operator may change',
    false,
  );
  withObject(command, kind, async (object) => {
    const options = command.opts<ShowOptions>();
    const settings = await (await connect(context, options)).settings(object);
    const shown = settings.filter((setting) => options.all || !setting.protected);
    print(context, shown, options.json);
  });
  return withExamples(command, [
    [`${kind} settings show ${example[kind]}`, 'when slices are closed and imported, and where each value comes from'],
  ]);
}

function settingsSet(context: CommandContext, kind: Kind): Command {
  const command = clientCommand('set', `Change settings of a ${kind}; what is waiting is imported at once`);
  withObject(command, kind, async (object) => {
    const options = command.opts<ClientOptions>();
    const changes = command.args.slice(kind === 'source' ? 1 : 2).map(parseChange);
    const client = await connect(context, options);
    const settings = await client.changeSettings(object, changes).catch(async (thrown: unknown) => {
      const list = new PasteLines(pastePlace(context, options)).settings(object);
      throw await withNearestKeys(thrown, changes, { settings: () => client.settings(object), list });
    });
    const keys = new Set(changes.map(({ key }) => key));
    print(context, options.json ? settings : settings.filter(({ key }) => keys.has(key)), options.json);
  }).argument('<key=value...>', 'settings; an empty value takes the override away');
  const key = 'storage.level.staging.upload.trigger.interval';
  return withExamples(command, [
    [`${kind} settings set ${example[kind]} ${key}=5s`, 'close slices every five seconds'],
    [`${kind} settings set ${example[kind]} ${key}=`, 'back to the value that is inherited'],
  ]);
}

/**
 * `key=value`. `true`, `false` and numbers are what they look like. A comma makes no list: a list is JSON, `["a","b"]`.
 */
function parseChange(text: string): SettingChange {
  const at = text.indexOf('=');
  if (at < 1) throw new MillraceError('input.invalid', `"${text}" is no setting: write KEY=VALUE.`);
  return { key: text.slice(0, at), value: parseValue(text.slice(at + 1)) };
}

function parseValue(text: string): SettingChange['value'] {
  if (text === '') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  return text.startsWith('[') ? parseList(text) : text;
}

function parseList(text: string): SettingChange['value'] {
  try {
    const list: unknown = parseJsonText(text);
    if (Array.isArray(list) && list.every((item): item is string => typeof item === 'string')) return list;
  } catch {
    // Not JSON: said below, with the rule.
  }
  throw new MillraceError('input.invalid', `"${text}" is no list: write ["a","b"].`);
}

/** Those without effect stand apart, each with the reason. */
function print({ terminal }: CommandContext, settings: readonly SettingShape[], json: boolean): void {
  if (json) return printJson(terminal, settings);
  const idle = settings.filter(({ withoutEffect }) => withoutEffect !== undefined);
  const active = settings.filter((setting) => !idle.includes(setting));
  if (active.length > 0 || idle.length === 0)
    printTable(terminal, {
      head: ['setting', 'value', 'from', 'default'],
      rows: active.map(({ key, value, inheritedFrom, defaultValue }) => [
        key,
        textOf(value),
        inheritedFrom ?? '',
        textOf(defaultValue),
      ]),
      empty: 'There are no settings.',
    });
  if (idle.length === 0) return;
  if (active.length > 0) terminal.stdout.write('\n');
  printTable(terminal, {
    head: ['without effect here', 'value', 'why'],
    rows: idle.map(({ key, value, withoutEffect = '' }) => [key, textOf(value), withoutEffect]),
    empty: '',
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
