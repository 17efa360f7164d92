import { describe } from 'vitest';
import { v4 } from 'uuid';
import { catalogContract } from '../../../test/contract/catalog.contract.ts';
import { isMongodbMissing, openMongodbForTests } from '../../../test/support/mongodb.ts';
import { openMongodbCatalog } from './catalog.ts';

const waiting = { signal: new AbortController().signal };

describe.skipIf(await isMongodbMissing())('with a MongoDB', () => {
  catalogContract('MongoDB', async () => {
    const server = await openMongodbForTests();
    const database = `millrace-${v4()}`;
    return {
      open: () => openMongodbCatalog({ url: server.url, database }, waiting),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  });
});
