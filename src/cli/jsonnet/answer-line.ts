import { z } from 'zod';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { JsonnetError, type JsonnetErrorKind } from '../../jsonnet/jsonnet-error.ts';

/** Evaluates the text of a template; throws `JsonnetError`. */
export type Evaluate = (source: string) => string;

const request = z.object({ id: z.json().default(null), source: z.string() });

interface Fault {
  /** `input`: the line is no question; `internal`: a defect of the engine; else as the language has them. */
  readonly kind: JsonnetErrorKind | 'input' | 'internal';
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

/**
 * Answers one line `{"id", "source"}` with `{"id", "result"}`, the result as its JSON text, to the digit, or with
 * `{"id", "error": {kind, message, line, column}}`. Never throws, so that each line has its answer.
 */
export function answerLine(line: string, evaluate: Evaluate): string {
  const asked = parseRequest(line);
  if (typeof asked === 'string') return failure(null, { kind: 'input', message: asked, line: null, column: null });
  try {
    return JSON.stringify({ id: asked.id, result: evaluate(asked.source) });
  } catch (thrown) {
    return failure(asked.id, faultOf(thrown));
  }
}

function failure(id: unknown, error: Fault): string {
  return JSON.stringify({ id, error });
}

function faultOf(thrown: unknown): Fault {
  if (!(thrown instanceof JsonnetError))
    return { kind: 'internal', message: MillraceError.fromUnknown(thrown).message, line: null, column: null };
  const { kind, message, place } = thrown;
  return { kind, message, line: place?.line ?? null, column: place?.column ?? null };
}

function parseRequest(line: string): z.output<typeof request> | string {
  try {
    return request.parse(parseJsonText(line));
  } catch (thrown) {
    const found = thrown instanceof z.ZodError ? z.prettifyError(thrown) : MillraceError.fromUnknown(thrown).message;
    return `the line must be {"id", "source"} with the text of a template as source: ${found}`;
  }
}
