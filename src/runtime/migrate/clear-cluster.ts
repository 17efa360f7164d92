import { parseTopicName } from '../../core/topic-name.ts';
import { removeDocument } from '../../documents/change-document.ts';
import { migrationId } from '../../documents/migration-document.ts';
import { collections } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { stagingMark } from '../../stages/claims/staging-mark.ts';
import type { WholeCluster } from './both-sides.ts';
import { documentsIn } from './moved-documents.ts';

/**
 * Removes all that a move has put into a cluster, but the marks and the document of the move: as long as that says that it is under way, no
 * process works there.
 */
export async function clearCluster(cluster: WholeCluster, options: Waiting): Promise<void> {
  const { catalog, sourceLog, objects, tables } = cluster;
  for (const prefix of ['source.', 'sink.'])
    for (const topic of await sourceLog.listTopics(prefix, options))
      // Others may call theirs so, too, and have made it since.
      if (parseTopicName(topic) !== undefined) await sourceLog.deleteTopic(topic, options);
  for await (const { name } of objects.list('', options)) if (name !== stagingMark) await objects.delete(name, options);
  for (const { tableId } of await tables.listTables(options)) {
    await tables.dropTable(tableId, options);
    await tables.dropBucket(tableId, options);
  }
  const { imports, loads } = await tables.readLedgerContents(options);
  for (const { incarnation } of imports) await tables.deleteLedger(incarnation, options);
  for (const { id } of loads) await tables.forgetLoad(id, options);
  for (const collection of collections)
    for await (const { id } of documentsIn(catalog, collection, options))
      if (collection !== 'meta' || !kept.includes(id)) await removeDocument(catalog, { collection, id }, options);
}

/** Documents of `meta`: who is here, and that nobody may begin. */
const kept: readonly string[] = ['installation', migrationId];
