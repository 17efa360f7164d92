import type { SharedSteps } from '../jsonnet/shared-steps.ts';
import type { ColumnOf } from '../core/column.ts';
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
  /**
   * Evaluates the template for one event, without any effect but on `rowSteps`; never throws for what an event or a template does.
   */
  evaluate(event: MappedEvent, rowSteps?: SharedSteps): TemplateResult;
}

/** The template engine as the mapping sees it; `jsonnet-templates.ts` makes it. */
export interface TemplateCompiler {
  /** Steps that all templates of a row may take together. */
  readonly rowSteps: number;
  /** Compiles once per mapping; a template that cannot be right for any event is `input.invalid` and names the column. */
  compile(column: ColumnOf<'template'>): CompiledTemplate;
}
