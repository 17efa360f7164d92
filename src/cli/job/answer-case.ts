import { messageOf } from '../../core/millrace-error.ts';
import { parseExactJsonText } from '../../core/parse-json-text.ts';
import type { AskedExtraction, ExtractionEnd, ExtractionLogEntry, Product } from '../../runtime/product.ts';
import { configurationText } from '../../variables/configuration-text.ts';
import { parseGivenValues } from '../../variables/values.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { withoutHiddenText } from '../without-hidden-text.ts';
import { preparedCase, type ExtractionCase } from './extraction-case.ts';

interface Asked extends ExtractionCase {
  /** As JSON text. */
  readonly id: string;
  readonly state: unknown;
  readonly out: string;
}

export interface CaseContext extends Pick<AskedExtraction, 'config'> {
  readonly product: Pick<Product, 'extract'>;
  readonly signal: AbortSignal;
}

/** Entries of the log of one case; more are counted. */
const longestLog = 10_000;

/**
 * Runs the case of a line `{"id", "configuration", "state", "out"}`; answers it with `{"id", "exitCode", "log"}`. Rejects with the reason
 * of the signal alone, so that each line has its answer.
 */
export async function answerCase(line: string, context: CaseContext): Promise<string> {
  let id = 'null';
  const log: ExtractionLogEntry[] = [];
  let more = 0;
  const tell = (entry: ExtractionLogEntry): void => {
    if (log.length < longestLog) log.push(entry);
    else more += 1;
  };
  const answered = (exitCode: ExitCode, message?: string): string => {
    if (more > 0) log.push({ level: 'info', message: `… and ${more} entries more` });
    if (message !== undefined) log.push({ level: 'error', message });
    return withoutHiddenText(`{"id":${id},"exitCode":${exitCode},"log":${JSON.stringify(log)}}`);
  };
  try {
    const asked = parsedLine(line, (text) => (id = text));
    if (typeof asked === 'string') return answered(exitCodes.failed, asked);
    const end = await runCase(asked, { ...context, tell });
    switch (end.kind) {
      case 'done':
        return answered(exitCodes.ok);
      case 'refused':
        return answered(exitCodes.failed, end.message);
      case 'broken':
        return answered(exitCodes.extractionBroken, end.message);
      default:
        return end satisfies never;
    }
  } catch (thrown) {
    context.signal.throwIfAborted();
    return answered(exitCodes.extractionBroken, messageOf(thrown));
  }
}

type Running = CaseContext & Pick<AskedExtraction, 'tell'>;

async function runCase(asked: Asked, { product, config, signal, tell }: Running): Promise<ExtractionEnd> {
  const { state, out } = asked;
  const prepared = preparedCase(asked, tell);
  if ('wrong' in prepared) return { kind: 'refused', message: prepared.wrong };
  return product.extract({ ...prepared, config, state, out, tell }, signal);
}

/** What the line asks for, or what is wrong with it. */
function parsedLine(line: string, onId: (text: string) => void): Asked | string {
  const wrong = 'the line must be {"id", "configuration", "state", "out"} with objects, and a folder as "out"';
  try {
    const asked: unknown = parseExactJsonText(line);
    if (!isObject(asked)) return wrong;
    const { id = null, configuration, state, out, values, vault }: Readonly<Record<string, unknown>> = { ...asked };
    const text = configurationText(id);
    onId(text);
    if (!isObject(configuration) || typeof out !== 'string' || out === '') return wrong;
    if (state !== undefined && state !== null && typeof state !== 'object') return wrong;
    return { id: text, configuration, state: state ?? undefined, out, values: given(values), vault: given(vault) };
  } catch (thrown) {
    return messageOf(thrown);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function given(values: unknown): ReadonlyMap<string, string> | undefined {
  return values === undefined || values === null ? undefined : parseGivenValues(values);
}
