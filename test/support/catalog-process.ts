import { writeSync } from 'node:fs';
import { openLmdbCatalog } from '../../src/adapters/lmdb/catalog.ts';

/**
 * `node catalog-process.ts FOLDER COUNT`: writes documents one after another, says `ready` before the first and
 * `written N` after each answer, and ends by itself without closing the catalog.
 */
const [path = '', count = '0'] = process.argv.slice(2);
const waiting = { signal: new AbortController().signal };
const catalog = await openLmdbCatalog({ path });
writeSync(1, 'ready\n');
for (let n = 0; n < Number(count); n += 1) {
  await catalog.compareAndSet({ collection: 'sink', id: String(n), expected: undefined, value: { n } }, waiting);
  writeSync(1, `written ${n}\n`);
}
