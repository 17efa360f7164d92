import { describe } from 'vitest';
import { catalogContract } from '../../../test/contract/catalog.contract.ts';
import { isPostgresMissing, openPostgresForTests } from '../../../test/support/postgres.ts';
import { openPostgresCatalog } from './catalog.ts';

const waiting = { signal: new AbortController().signal };

describe.skipIf(await isPostgresMissing())('with a PostgreSQL', () => {
  catalogContract('PostgreSQL', async () => {
    const server = await openPostgresForTests();
    const url = await server.createDatabase();
    return {
      open: () => openPostgresCatalog({ url }, waiting),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  });
});
