import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { defaultAnswerMs, maxAnswerBytes, maxConnections, type SchemaRegistryOptions } from './config.ts';
import { fromRegistry, notARegistry, refusedAnswer } from './errors.ts';

/** Codes of Confluent's API for: no such subject, version, schema; a subject without a rule of its own. */
const notFoundCodes: ReadonlySet<unknown> = new Set([40401, 40402, 40403, 40408]);

/** Asks the registry; bounded in time, in size and in requests at a time. */
export class RegistryClient implements Disposable {
  readonly #options: SchemaRegistryOptions;
  readonly #agent: HttpAgent;
  readonly #isTls: boolean;

  /** `config.invalid` for a file of authorities that cannot be read. */
  constructor(options: SchemaRegistryOptions) {
    this.#options = options;
    this.#isTls = options.url.startsWith('https:');
    const pool = { keepAlive: true, maxSockets: maxConnections };
    this.#agent = this.#isTls ? new HttpsAgent({ ...pool, ...trusted(options.caFile) }) : new HttpAgent(pool);
  }

  /** The connections, for what else talks to the registry. */
  get agent(): HttpAgent {
    return this.#agent;
  }

  /** The JSON of an answer; undefined when the registry says that there is no such thing. */
  async get(path: string, { signal }: Waiting): Promise<unknown> {
    const answerMs = this.#options.answerMs ?? defaultAnswerMs;
    const late = AbortSignal.timeout(answerMs);
    try {
      const { status, text } = await this.#ask(path, AbortSignal.any([signal, late]));
      const json = jsonOf(text);
      if (status === 200 && json !== undefined) return json;
      if (status === 200) throw notARegistry(`what it answers to GET ${path} is not JSON`);
      if (status === 404 && notFoundCodes.has(errorCodeOf(json))) return undefined;
      throw refusedAnswer(status, path);
    } catch (thrown) {
      signal.throwIfAborted();
      if (late.aborted)
        throw new MillraceError('schemas.unavailable', `the schema registry is silent for ${answerMs} ms`);
      throw fromRegistry(thrown);
    }
  }

  async #ask(path: string, signal: AbortSignal): Promise<{ readonly status: number; readonly text: string }> {
    const { url, username, password } = this.#options;
    const send = this.#isTls ? httpsRequest : httpRequest;
    const auth = username === undefined ? {} : { auth: `${username}:${password?.reveal() ?? ''}` };
    const headers = { accept: 'application/vnd.schemaregistry.v1+json, application/json' };
    const asked = send(`${url}${path}`, { agent: this.#agent, headers, signal, ...auth }).end();
    const [response] = (await once(asked, 'response', { signal })) as [IncomingMessage];
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of response as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > maxAnswerBytes) throw notARegistry(`its answer to GET ${path} is over ${maxAnswerBytes} bytes`);
      parts.push(part);
    }
    return { status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() };
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

function trusted(caFile: string | undefined): { readonly ca?: string[] } {
  if (caFile === undefined) return {};
  try {
    return { ca: [...rootCertificates, readFileSync(caFile, 'utf8')] };
  } catch (thrown) {
    const message = `the file "${caFile}" of the schema registry's authorities cannot be read`;
    throw new MillraceError('config.invalid', message, { cause: thrown });
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

function errorCodeOf(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'error_code' in json ? json.error_code : undefined;
}
