import type { ColumnOf } from '../core/column.ts';
import { writeTextCell, type ColumnCell } from './column-cell.ts';
import type { TemplateCompiler } from './template.ts';

/** Compiles a template column; errors are those of the compiler. A string loses its quotes when `rawString` is set. */
export function templateCell(column: ColumnOf<'template'>, templates: TemplateCompiler): ColumnCell {
  const { name, rawString } = column;
  const template = templates.compile(column);
  return {
    name,
    write: (event, writer) => {
      const result = template.evaluate(event);
      if (result.kind === 'failed') {
        return { reason: result.reason, column: name, message: result.message, place: result.place };
      }
      const isString = rawString && result.text.startsWith('"');
      return writeTextCell(name, isString ? (JSON.parse(result.text) as string) : result.text, writer);
    },
  };
}
