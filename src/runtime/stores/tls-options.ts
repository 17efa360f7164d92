import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { Tls } from '../../config/topology/tls.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { whyUnread } from '../../core/why-unread.ts';

/** TLS whose certificates are always checked. `config.invalid` for a file that cannot be read. */
export function tlsOptions({ caFile, certFile, keyFile }: Tls): ConnectionOptions {
  return {
    rejectUnauthorized: true,
    ...(caFile === undefined ? {} : { ca: textOf(caFile) }),
    ...(certFile === undefined ? {} : { cert: textOf(certFile) }),
    ...(keyFile === undefined ? {} : { key: textOf(keyFile) }),
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    const message = `the file "${path}" of the topology cannot be read: ${whyUnread(thrown)}`;
    throw new MillraceError('config.invalid', message, { cause: thrown });
  }
}
