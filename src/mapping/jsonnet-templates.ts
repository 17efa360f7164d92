import type { ColumnOf } from '../core/column.ts';
import { MillraceError } from '../core/millrace-error.ts';
import { compile, type Template } from '../jsonnet/compile.ts';
import { JsonnetError } from '../jsonnet/jsonnet-error.ts';
import { defaultLimits, type Limits } from '../jsonnet/limits.ts';
import { placeText } from '../jsonnet/place.ts';
import type { SharedSteps } from '../jsonnet/shared-steps.ts';
import type { MappedEvent } from './mapped-event.ts';
import { eventNatives } from './natives/event-natives.ts';
import type { CompiledTemplate, TemplateCompiler, TemplateResult } from './template.ts';
import { WeakCache } from './weak-cache.ts';

/** For one cell; what is left out has the default of the engine. */
export type TemplateLimits = Partial<Limits>;

/**
 * The template engine: jsonnet with the functions of an event. Columns of equal text share what was compiled for as long
 * as a mapping uses it. `limits` are for one cell; what is left out has the default of the engine.
 */
export function createTemplates(limits: TemplateLimits = {}): TemplateCompiler {
  const known = new WeakCache<string, JsonnetTemplate>();
  return {
    // A row holds the thread that maps all sources: all its templates have together what one may take alone.
    rowSteps: limits.steps ?? defaultLimits.steps,
    compile(column) {
      const { content } = column.template;
      return known.get(content, () => new JsonnetTemplate(compileColumn(column, limits)));
    },
  };
}

/** Why a text can be no template for any event, its place in front; undefined when it can. */
export function templateFault(content: string): string | undefined {
  try {
    compile(content, { natives: eventNatives });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof JsonnetError) return thrown.text;
    throw thrown;
  }
}

function compileColumn({ name, template }: ColumnOf<'template'>, limits: Partial<Limits>): Template {
  try {
    return compile(template.content, { limits, natives: eventNatives });
  } catch (thrown) {
    if (!(thrown instanceof JsonnetError)) throw thrown;
    throw new MillraceError('input.invalid', `column "${name}" template is invalid: ${thrown.text}`, { cause: thrown });
  }
}

class JsonnetTemplate implements CompiledTemplate {
  readonly #template: Template;

  constructor(template: Template) {
    this.#template = template;
  }

  evaluate(event: MappedEvent, rowSteps?: SharedSteps): TemplateResult {
    try {
      return { kind: 'json', text: this.#template.evaluate(event, rowSteps) };
    } catch (thrown) {
      if (thrown instanceof JsonnetError) return failed(thrown);
      if (thrown instanceof MillraceError) throw thrown;
      return defect(thrown);
    }
  }
}

/** A defect of the engine: the event is kept as a dead letter, where it would otherwise stop its partition for good. */
function defect(thrown: unknown): TemplateResult {
  const { message } = MillraceError.fromUnknown(thrown);
  return { kind: 'failed', reason: 'templateError', message: `the template engine failed: ${message}`, place: '' };
}

function failed({ kind, message, place }: JsonnetError): TemplateResult {
  const reason = kind === 'limit' ? 'templateLimit' : 'templateError';
  return { kind: 'failed', reason, message, place: place === undefined ? '' : placeText(place) };
}
