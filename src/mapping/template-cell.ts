import type { ColumnOf } from '../core/column.ts';
import { parseJsonText } from '../core/parse-json-text.ts';
import type { SharedSteps } from '../jsonnet/shared-steps.ts';
import { writeTextCell, type ColumnCell } from './column-cell.ts';
import type { TemplateCompiler } from './template.ts';

/** What the templates of a mapping have in common. */
export interface TemplateTools {
  readonly templates: TemplateCompiler;
  readonly rowSteps: SharedSteps;
}

/** Compiles a template column; errors are those of the compiler. A string loses its quotes when `rawString` is set. */
export function templateCell(column: ColumnOf<'template'>, { templates, rowSteps }: TemplateTools): ColumnCell {
  const { name, rawString } = column;
  const template = templates.compile(column);
  return {
    name,
    write: (event, writer) => {
      const result = template.evaluate(event, rowSteps);
      if (result.kind === 'failed') {
        return { reason: result.reason, column: name, message: result.message, place: result.place };
      }
      const isString = rawString && result.text.startsWith('"');
      return writeTextCell(name, isString ? (parseJsonText(result.text) as string) : result.text, writer);
    },
  };
}
