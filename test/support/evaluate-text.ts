import { compile, type CompileOptions } from '../../src/jsonnet/compile.ts';
import { JsonnetError } from '../../src/jsonnet/jsonnet-error.ts';

/** What a template evaluates to, for tests of the language. */
export function valueOf(source: string, options?: CompileOptions): unknown {
  return JSON.parse(compile(source, options).evaluate());
}

/** The error of a template: `kind line:column-column message`. */
export function errorOf(source: string, options?: CompileOptions): string {
  try {
    return `no error, but ${compile(source, options).evaluate()}`;
  } catch (error) {
    if (error instanceof JsonnetError) return `${error.kind} ${error.text}`;
    throw error;
  }
}
