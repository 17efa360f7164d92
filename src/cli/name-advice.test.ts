import { expect, it } from 'vitest';
import { exampleSink, exampleSource, onePage, runAnswered } from '../../test/support/command-api.ts';
import type { Answers } from '../../test/support/small-api.ts';

const S = '/v1/branches/default/sources';

it('D9: a name that none is near to is told with what lists those that there are', async () => {
  const none = (name: string, message: string) => ({ status: 404, body: { error: `stream.api.${name}`, message } });
  const [noSource, noSink] = ['Source "a" not found in the branch.', 'Sink "a" not found in the source.'];
  const noTable = 'The table "in.c-x.a" was not found in the project.';
  const noSuchTable = { status: 404, body: { error: noTable, code: 'storage.tables.notFound' } };
  const answers = (url: string): Answers => ({
    [`GET ${S}/a`]: none('sourceNotFound', noSource),
    [`GET ${S}/a/sinks/orders`]: none('sourceNotFound', noSource),
    [`GET ${S}/shop/sinks/a`]: none('sinkNotFound', noSink),
    'GET /v2/storage/tables/in.c-x.a': noSuchTable,
    'GET /v2/storage/tables/in.c-x.a/data-preview?format=json&limit=20': noSuchTable,
    'GET /v2/storage/tables': { body: [] },
    [`PUT ${S}/a/undelete`]: none('deletedSourceNotFound', 'Deleted source "a" not found in the branch.'),
    [`PUT ${S}/shop/sinks/a/undelete`]: none('deletedSinkNotFound', 'Deleted sink "a" not found in the source.'),
    [`PUT ${S}/shop/versions/9/rollback`]: none('sourceVersionNotFound', 'Source version "9" not found.'),
    [`PUT ${S}/shop/sinks/orders/versions/9/rollback`]: none('sinkVersionNotFound', 'Sink version "9" not found.'),
    'DELETE /v2/storage/tokens/9': {
      status: 404,
      body: { error: 'Token "9" not found.', code: 'storage.tokens.notFound' },
    },
    [`POST ${S}`]: { ...none('sourceAlreadyExists', 'There is a source.'), status: 409 },
    [`POST ${S}/shop/sinks`]: { ...none('sinkAlreadyExists', 'There is a sink.'), status: 409 },
    [`GET ${S}`]: { body: { page: onePage, sources: [exampleSource(url)] } },
    [`GET ${S}/shop/sinks`]: { body: { page: onePage, sinks: [exampleSink] } },
  });
  const lines = [
    ['source show a', `${noSource} "millrace source list" lists the sources.`],
    ['sink show a orders', `${noSource} "millrace source list" lists the sources.`],
    ['sink show shop a', `${noSink} "millrace sink list" lists the sinks.`],
    ['table show in.c-x.a', `${noTable} "millrace table list" lists the tables.`],
    ['source undelete a', 'Deleted source "a" not found in the branch. "millrace source list --deleted" lists them.'],
    ['sink undelete shop a', 'Deleted sink "a" not found in the source. "millrace sink list --deleted" lists them.'],
    ['source rollback shop 9', 'Source version "9" not found. "millrace source versions shop" lists them.'],
    ['sink rollback shop orders 9', 'Sink version "9" not found. "millrace sink versions shop orders" lists them.'],
    ['token delete 9', 'Token "9" not found. "millrace token list" lists the tokens.'],
    ['source create a', 'There is a source. "millrace source list" lists the sources; --id gives another id.'],
    [
      'sink create shop a --table in.c-x.a',
      'There is a sink. "millrace sink list" lists the sinks; --id gives another id.',
    ],
  ] as const;
  for (const [line, text] of lines) {
    const { code, stderr } = await runAnswered(line.split(' '), answers);
    const said = stderr.replace('npx millrace', 'millrace');
    expect({ line, code, stderr: said }).toEqual({ line, code: 1, stderr: `millrace: ${text}\n` });
  }
});
