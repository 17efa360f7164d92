import { jsonMembers } from '../../core/json-members.ts';
import { printFields, printTable } from '../print.ts';
import type { Terminal } from '../terminal.ts';
import { withoutHiddenText } from '../without-hidden-text.ts';
import type { ConfigurationShape, RowShape } from './config-client.ts';
import { indentedJson } from './indented-json.ts';

/** What a configuration is, without what may be large. */
export function printConfiguration(terminal: Terminal, componentId: string, shown: ConfigurationShape): void {
  printFields(terminal, {
    component: componentId,
    configuration: shown.id,
    name: shown.name,
    description: shown.description === '' ? undefined : shown.description,
    state: shown.isDisabled ? 'disabled' : 'enabled',
    rows: shown.rows.length === 0 ? undefined : shown.rows.length,
    version: versionText(shown),
    created: shown.created,
  });
}

export function printRow(terminal: Terminal, shown: RowShape): void {
  printFields(terminal, {
    row: shown.id,
    name: shown.name === '' ? undefined : shown.name,
    description: shown.description === '' ? undefined : shown.description,
    state: shown.isDisabled ? 'disabled' : 'enabled',
    version: versionText(shown),
    created: shown.created,
  });
}

export function printRows(terminal: Terminal, rows: readonly RowShape[]): void {
  printTable(terminal, {
    head: ['row', 'name', 'state', 'version', 'note'],
    rows: rows.map((row) => [
      row.id,
      row.name,
      row.isDisabled ? 'disabled' : 'enabled',
      row.version,
      row.changeDescription,
    ]),
    cut: 'note',
    empty: 'There are no rows.',
  });
}

/** The text of an answer, or the JSON of one of its fields, a field a line and with all digits. */
export function printJsonText({ stdout }: Pick<Terminal, 'stdout'>, text: string, field?: string): void {
  const shown = field === undefined ? text : (jsonMembers(text).get(field) ?? 'null');
  stdout.write(`${withoutHiddenText(indentedJson(shown))}\n`);
}

function versionText({ version, created, changeDescription, ...rest }: Versioned): string {
  const at = rest.currentVersion?.created ?? created;
  return `${version} of ${at}: ${changeDescription}`;
}

interface Versioned {
  readonly version: number;
  readonly created: string;
  readonly changeDescription: string;
  readonly currentVersion?: { readonly created: string };
}
