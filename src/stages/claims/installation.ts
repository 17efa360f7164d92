import { parseInstallationDocument, type Installation } from '../../core/documents/installation-document.ts';
import type { InstallationId } from '../../core/installation-id.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { ClaimedStore } from '../../ports/claimable.ts';
import type { Waiting } from '../../ports/event-log.ts';

const at = { collection: 'meta', id: 'installation' } as const;

/**
 * The installation that a catalog belongs to; made where there is none, with this id. What counts is what is read afterwards:
 * of several processes that make it at once one gets through.
 */
export async function ensureInstallation(
  catalog: Catalog,
  id: InstallationId,
  options: Waiting,
): Promise<Installation> {
  for (;;) {
    const found = await catalog.get(at.collection, at.id, options);
    if (found !== undefined) return parseInstallationDocument(found.value);
    const value: Installation = { id, claimed: [] };
    await catalog.compareAndSet({ ...at, expected: undefined, value }, options);
  }
}

/** Notes that a store has the mark of this installation: from now on it is missed where it is gone. */
export async function noteClaimed(catalog: Catalog, store: ClaimedStore, options: Waiting): Promise<void> {
  for (;;) {
    const found = await catalog.get(at.collection, at.id, options);
    if (found === undefined) return;
    const installation = parseInstallationDocument(found.value);
    if (installation.claimed.includes(store)) return;
    const value: Installation = { ...installation, claimed: [...installation.claimed, store] };
    if ((await catalog.compareAndSet({ ...at, expected: found.revision, value }, options)).kind === 'written') return;
  }
}
