import { createInterface } from 'node:readline';
import { compile } from '../../src/jsonnet/compile.ts';
import { JsonnetError } from '../../src/jsonnet/jsonnet-error.ts';

/**
 * A process that evaluates a template a line: reads `{ source }` and answers what came of it in a line of JSON: `limit`
 * and its name, the kind of error and its text, or `result` and how it begins.
 */
async function answerLines(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const { source } = JSON.parse(line) as { source: string };
    process.stdout.write(`${JSON.stringify(outcomeOf(source))}\n`);
  }
}

const shownLength = 120;

function outcomeOf(source: string): string {
  try {
    return `result ${compile(source).evaluate().slice(0, shownLength)}`;
  } catch (error) {
    if (!(error instanceof JsonnetError)) return `not an error of the engine: ${String(error)}`;
    return error.kind === 'limit'
      ? `limit ${String(error.limit)}`
      : `${error.kind} ${error.text.slice(0, shownLength)}`;
  }
}

await answerLines();
