import { columnTypes } from '../../core/column.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { ColumnShape } from '../api-shapes.ts';

/** Said in the help of the commands that take columns. */
export const columnSyntax = `Columns:
  NAME:uuid  NAME:datetime  NAME:ip  NAME:body  NAME:headers
  NAME:path:PATH          a field of the JSON or form body, such as user.name or items[0].id;
                          a JSON string keeps its quotes
  NAME:text:PATH          the same, a JSON string without its quotes
  NAME:path:PATH?=VALUE   VALUE when the field does not exist (else the event is a dead letter)
  NAME:template:JSONNET   the result of a template, such as "NAME:template:Body('a') + 1"; text keeps its quotes
  NAME:template-text:JSONNET
                          the same, text without its quotes
  NAME:template:@FILE     the template of a file (so does template-text)`;

function invalid(text: string, rule: string): MillraceError {
  return new MillraceError('input.invalid', `Column "${text}": ${rule}.`);
}

/** Reads a column as a person types it, for example `id:uuid` or `user:text:user.name?=nobody`. */
export function parseColumn(text: string): ColumnShape {
  const [name = '', type = '', ...rest] = text.split(':');
  const detail = rest.join(':');
  if (name === '' || type === '') throw invalid(text, 'must have a name and a type, such as "id:uuid"');
  switch (type) {
    case 'path':
    case 'text':
      if (detail === '') throw invalid(text, `needs the path of a field, such as "${name}:${type}:user.name"`);
      return { name, type: 'path', rawString: type === 'text', ...parsePath(detail) };
    case 'template':
    case 'template-text': {
      if (detail === '') throw invalid(text, `needs a template, such as "${name}:${type}:Body('user.name')"`);
      const template = { language: 'jsonnet', content: detail } as const;
      return { name, type: 'template', ...(type === 'template' ? {} : { rawString: true }), template };
    }
    case 'uuid':
    case 'datetime':
    case 'ip':
    case 'body':
    case 'headers':
      if (rest.length > 0) throw invalid(text, `nothing may follow the type ${type}`);
      return { name, type };
    default:
      throw invalid(text, `the type must be one of ${columnTypes.join(', ')}, text or template-text`);
  }
}

function parsePath(detail: string): Pick<ColumnShape, 'path' | 'defaultValue'> {
  const at = detail.indexOf('?=');
  return at === -1 ? { path: detail } : { path: detail.slice(0, at), defaultValue: detail.slice(at + 2) };
}

/** The text that `parseColumn` reads back as this column. */
export function columnText({ name, type, path, rawString, defaultValue, template }: ColumnShape): string {
  switch (type) {
    case 'path': {
      const fallback = defaultValue === undefined ? '' : `?=${defaultValue}`;
      return `${name}:${rawString === true ? 'text' : 'path'}:${path ?? ''}${fallback}`;
    }
    case 'template':
      return `${name}:${rawString === true ? 'template-text' : 'template'}:${template?.content ?? ''}`;
    default:
      return `${name}:${type}`;
  }
}
