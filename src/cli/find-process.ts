import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { Secret } from '../config/secrets.ts';
import { MillraceError } from '../core/millrace-error.ts';
import { readRunFile } from './run-file.ts';

/** The running process that a command talks to. */
export interface FoundProcess {
  /** Base of the admin API, without a slash at the end. */
  readonly url: string;
  readonly token: Secret;
}

const tokenFile = 'root-token';

/**
 * `MILLRACE_URL` and `MILLRACE_TOKEN`, each else from the data folder. No URL is `client.unreachable`, no token
 * `client.unauthorized`; it does not try whether anything answers there.
 */
export async function findProcess({ client, dataDir }: Pick<Config, 'client' | 'dataDir'>): Promise<FoundProcess> {
  const url = client.url ?? (await readRunFile(dataDir).catch(unreadable(dataDir)))?.admin;
  if (url === undefined)
    throw new MillraceError(
      'client.unreachable',
      `No process with the role admin works on the data folder ${dataDir}.`,
      { details: { dataDir } },
    );
  const token = client.token ?? (await readToken(dataDir));
  if (token === undefined)
    throw new MillraceError('client.unauthorized', `There is no token for ${url} in the data folder ${dataDir}.`);
  return { url: url.replace(/\/+$/, ''), token };
}

async function readToken(dataDir: string): Promise<Secret | undefined> {
  try {
    const text = (await readFile(join(dataDir, tokenFile), 'utf8')).trim();
    return text === '' ? undefined : new Secret(text);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && ['ENOENT', 'ENOTDIR'].includes(String(thrown.code)))
      return undefined;
    return unreadable(dataDir)(thrown);
  }
}

function unreadable(dataDir: string) {
  return (thrown: unknown): never => {
    const reason = MillraceError.fromUnknown(thrown).message;
    throw new MillraceError('data.unusable', `The data folder ${dataDir} cannot be read: ${reason}`, { cause: thrown });
  };
}
