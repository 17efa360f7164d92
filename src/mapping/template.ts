import type { TemplateColumn } from '../core/column.ts';
import { MillraceError } from '../core/millrace-error.ts';
import type { MappedEvent } from './mapped-event.ts';

/** What a template made of one event: compact JSON, or the reason why it made none (an event's fate, no exception). */
export type TemplateResult =
  | { readonly kind: 'json'; readonly text: string }
  | {
      readonly kind: 'failed';
      readonly reason: 'templateError' | 'templateLimit';
      readonly message: string;
      /** `line:column-column` in the template, or empty. */
      readonly place: string;
    };

export interface CompiledTemplate {
  /** Evaluates the template for one event, without any effect; never throws for what an event or a template does. */
  evaluate(event: MappedEvent): TemplateResult;
}

/** The template engine as the mapping sees it. */
export interface TemplateCompiler {
  /** Compiles once per mapping; a template that cannot be right for any event is `input.invalid` and names the column. */
  compile(column: TemplateColumn): CompiledTemplate;
}

/** Stands where there is no template engine: refuses every template column. */
export const refuseTemplates: TemplateCompiler = {
  compile(column) {
    throw new MillraceError(
      'input.invalid',
      `column "${column.name}": template columns are not available in this version, use a path column`,
    );
  },
};
