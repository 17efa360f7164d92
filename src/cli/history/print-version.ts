import type { SinkVersionShape, SourceVersionShape, VersionShape } from '../api-shapes.ts';
import { printFields, printJson, type Cell } from '../print.ts';
import { columnText } from '../sink/parse-column.ts';
import type { Terminal } from '../terminal.ts';
import { whoOf } from '../who-of.ts';

type Fields = Readonly<Record<string, Cell | undefined>>;

/** A version of a source and what it defined, for a person or a program. */
export function printSourceVersion(terminal: Terminal, version: SourceVersionShape, json: boolean): void {
  if (json) return printJson(terminal, version);
  const { type, name, description, settings } = version.definition;
  const own = { name, description: textOrNothing(description), type };
  return printFields(terminal, { ...versionFields(version), ...own, ...settingFields(settings) });
}

/** A version of a sink and what it defined, for a person or a program. */
export function printSinkVersion(terminal: Terminal, version: SinkVersionShape, json: boolean): void {
  if (json) return printJson(terminal, version);
  const { name, description, table, allowedSignals, settings } = version.definition;
  return printFields(terminal, {
    ...versionFields(version),
    name,
    description: textOrNothing(description),
    table: table.tableId,
    signals: allowedSignals?.join(', '),
    ...numbered('column', table.mapping.columns.map(columnText)),
    ...settingFields(settings),
  });
}

function versionFields({ number, at, by, description }: VersionShape): Fields {
  return { version: `${number} of ${at}: ${description}`, by: whoOf(by) };
}

/** As `settings set` takes them. */
function settingFields(settings: SourceVersionShape['definition']['settings']): Fields {
  const texts = Object.entries(settings).map(
    ([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  );
  return numbered('setting', texts);
}

function numbered(label: string, texts: readonly string[]): Fields {
  return Object.fromEntries(texts.map((text, index) => [`${label} ${index + 1}`, text]));
}

function textOrNothing(text: string): string | undefined {
  return text === '' ? undefined : text;
}
