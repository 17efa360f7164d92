import { columnOf, columnTypeNames, type Column, type ColumnInput, type ColumnType } from '../../core/column.ts';
import { didYouMean } from '../../config/unknown-name.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { ColumnShape } from '../api-shapes.ts';

/** How a column is written behind its name when its type has fields. */
interface ColumnSyntax {
  readonly help: string;
  /** Stands for the type with `rawString`, where it has that. */
  readonly rawWord?: string;
  /** What must follow the word, and an example of it. */
  readonly needs: string;
  readonly example: string;
  readonly read: (detail: string) => Omit<ColumnInput, 'name' | 'type'>;
  /** What `read` reads. */
  readonly write: (column: ColumnShape) => string;
}

/** The word of the type says all. */
const wordAlone = { kind: 'wordAlone' } as const;

const syntaxes: { readonly [T in ColumnType]: ColumnSyntax | typeof wordAlone } = {
  uuid: wordAlone,
  datetime: wordAlone,
  ip: wordAlone,
  body: wordAlone,
  headers: wordAlone,
  path: {
    help: `
  NAME:path:PATH          a field of the JSON or form body, such as user.name or items[0].id;
                          a JSON string keeps its quotes
  NAME:text:PATH          the same, a JSON string without its quotes
  NAME:path:PATH?=VALUE   VALUE when the field does not exist (else the event is a dead letter)`,
    rawWord: 'text',
    needs: 'the path of a field',
    example: 'user.name',
    read: (detail) => {
      const at = detail.indexOf('?=');
      return at === -1 ? { path: detail } : { path: detail.slice(0, at), defaultValue: detail.slice(at + 2) };
    },
    write: ({ path = '', defaultValue }) => `${path}${defaultValue === undefined ? '' : `?=${defaultValue}`}`,
  },
  template: {
    help: `
  NAME:template:JSONNET   the result of a template, such as "NAME:template:Body('a') + 1"; text keeps its quotes
  NAME:template-text:JSONNET
                          the same, text without its quotes
  NAME:template:@FILE     the template of a file (so does template-text)`,
    rawWord: 'template-text',
    needs: 'a template',
    example: "Body('user.name')",
    read: (content) => ({ template: { language: 'jsonnet', content } }),
    write: ({ template }) => template?.content ?? '',
  },
};

function syntaxOf(type: ColumnType): ColumnSyntax | undefined {
  const syntax = syntaxes[type];
  return 'kind' in syntax ? undefined : syntax;
}

const words = columnTypeNames.filter((type) => syntaxOf(type) === undefined).map((type) => `NAME:${type}`);

/** Said in the help of the commands that take columns. */
export const columnSyntax = `Columns:
  ${words.join('  ')}${columnTypeNames.map((type) => syntaxOf(type)?.help ?? '').join('')}`;

function invalid(text: string, rule: string): MillraceError {
  return new MillraceError('input.invalid', `Column "${text}": ${rule}${rule.endsWith('?') ? '' : '.'}`);
}

/** Reads a column as a person types it, for example `id:uuid` or `user:text:user.name?=nobody`. */
export function parseColumn(text: string): Column {
  const [name = '', word = '', ...rest] = text.split(':');
  const detail = rest.join(':');
  if (name === '' || word === '') throw invalid(text, 'must have a name and a type, such as "id:uuid"');
  const type = columnTypeNames.find((known) => known === word || syntaxOf(known)?.rawWord === word);
  if (type === undefined) throw invalid(text, unknownType(word));
  const syntax = syntaxOf(type);
  if (syntax === undefined) {
    if (rest.length > 0) throw invalid(text, `nothing may follow the type ${type}`);
    return columnOf({ name, type });
  }
  const { needs, example, rawWord, read } = syntax;
  if (detail === '') throw invalid(text, `needs ${needs}, such as "${name}:${word}:${example}"`);
  return columnOf({ name, type, rawString: word === rawWord, ...read(detail) });
}

function unknownType(word: string): string {
  const types = [...columnTypeNames, ...columnTypeNames.flatMap((type) => syntaxOf(type)?.rawWord ?? [])];
  const rule = `the type must be one of ${types.slice(0, -1).join(', ')} or ${types.at(-1) ?? ''}`;
  const advice = didYouMean(word, types);
  return advice === undefined ? rule : `${rule}; ${advice}`;
}

/** The text that `parseColumn` reads back as this column. */
export function columnText(column: ColumnShape): string {
  const { name, type, rawString } = column;
  const syntax = syntaxOf(type);
  if (syntax === undefined) return `${name}:${type}`;
  return `${name}:${(rawString === true && syntax.rawWord) || type}:${syntax.write(column)}`;
}
