import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What the loader sends: the same bytes again and again, one request in flight on each. */
export interface HttpLoad {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** Requests of this first part of the time are not counted. */
  readonly warmUpMs: number;
  /** Whole HTTP/1.1 requests, head and body, sent in turns. */
  readonly requests: readonly Uint8Array[];
  /** Requests in flight at the end are waited for, and count; else they are cut off. */
  readonly awaitsAll?: boolean;
  /** So many on average, at random times, whether those before have their answers or not; absent: as many as the other side takes. */
  readonly perSecond?: number | undefined;
}

export interface HttpLoadResult {
  /** Answers with a 2xx status inside the counted time. */
  readonly answers: number;
  readonly perSecond: number;
  /** Answers with another status, and connections that broke. */
  readonly failures: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number };
  /** Processor time of the loader itself while it counted. */
  readonly loaderMicroseconds: number;
}

/** The bytes of a POST request; `headers` is a flat list. */
export function rawPost(path: string, body: Uint8Array, headers: readonly string[] = []): Uint8Array {
  const lines = [`POST ${path} HTTP/1.1`, 'Host: localhost', `Content-Length: ${body.length}`];
  for (let index = 0; index + 1 < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** A process that sends loads, one at a time; the first one compiles it, so that later ones cost less. */
export interface Loader extends AsyncDisposable {
  /** Rejects when a request of the counted time was not answered with a 2xx. */
  run(load: HttpLoad): Promise<HttpLoadResult>;
  /** Ends the load that runs before its time. */
  stop(): void;
}

export function startLoader(): Loader {
  const child = fork(new URL('loader.ts', import.meta.url), { serialization: 'advanced', execArgv: [] });
  const exited = once(child, 'exit');
  const ended = exited.then(([code]) => {
    throw new Error(`the loader ended with code ${String(code)}`);
  });
  ended.catch(() => undefined);
  return {
    run: async (load) => {
      child.send(load);
      const [result] = (await Promise.race([once(child, 'message'), ended])) as [HttpLoadResult];
      if (result.failures > 0) throw new Error(`${result.failures} requests of the bench failed`);
      return result;
    },
    stop: () => void child.send('stop'),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exited;
    },
  };
}

/** One load by a loader of its own. */
export async function runHttpLoad(load: HttpLoad): Promise<HttpLoadResult> {
  await using loader = startLoader();
  return await loader.run(load);
}
