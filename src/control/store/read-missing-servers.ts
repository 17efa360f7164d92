import { isUnsaid, type MissingServer } from '../../core/missing-servers.ts';
import type { Clock } from '../../core/clock.ts';
import { listReadable } from '../../documents/list-documents.ts';
import { missingServersDocuments, missingServersPrefix } from '../../documents/missing-servers-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

export interface MissedServer extends MissingServer {
  /** Name of the process that misses it. */
  readonly process: string;
}

/** The servers that processes of the installation cannot use now, as each says; what one has not said again for long is left out. */
export async function readMissingServers(
  { catalog, clock }: { readonly catalog: Catalog; readonly clock: Clock },
  options: Waiting,
): Promise<readonly MissedServer[]> {
  const query = { kind: missingServersDocuments, prefix: missingServersPrefix };
  const { documents } = await listReadable(catalog, query, options);
  return documents
    .filter((said) => !isUnsaid(said, clock.now()))
    .flatMap(({ process, servers }) => servers.map((server) => ({ process, ...server })));
}
