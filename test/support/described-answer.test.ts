import { expect, test } from 'vitest';
import { checkAnswer, type Answer } from './described-answer.ts';

const index = { api: 'stream', documentation: 'http://localhost/v1/documentation' };
const answer = (changes: Partial<Answer> & { readonly body?: object }): Answer => ({
  method: 'GET',
  path: '/v1',
  status: 200,
  contentType: 'application/json; charset=utf-8',
  text: JSON.stringify(changes.body ?? index),
  ...changes,
});
const notFound = { statusCode: 404, error: 'stream.api.sinkNotFound', message: 'Sink "x" not found in the source.' };

test('an answer that is described passes, and one of no operation that is a refusal', () => {
  checkAnswer(answer({}));
  checkAnswer(answer({ path: '/v1/branches/1/sources/s/sinks/x?y=1', status: 404, body: notFound }));
  checkAnswer(
    answer({ path: '/v1/tasks/a/b/c', status: 404, body: { ...notFound, error: 'stream.api.taskNotFound' } }),
  );
  checkAnswer(answer({ path: '/nothing', status: 404, body: { ...notFound, error: 'stream.api.endpointNotFound' } }));
  checkAnswer(answer({ path: '/health-check', contentType: 'text/plain; charset=utf-8', text: 'OK' }));
});

test.each<[string, Partial<Answer> & { readonly body?: object }, RegExp]>([
  ['a field that nobody described', { body: { ...index, more: 1 } }, /not described: more/],
  ['a missing field', { body: { api: 'stream' } }, /documentation/],
  ['a value of another kind', { body: { ...index, documentation: 'nowhere' } }, /format/],
  [
    'a field that nobody described, deep in a list',
    { path: '/v2/storage/tables', body: [{ bucket: { x: 1 } }] },
    /not described: x/,
  ],
  ['a status that the operation does not name', { status: 409 }, /knows only the statuses 200,/],
  ['another content type', { contentType: 'text/csv' }, /knows only the content types application\/json/],
  [
    'a refusal that the operation does not name',
    { path: '/v1/branches/1/sources/s', status: 404, body: notFound },
    /knows only the refusals stream.api.sourceNotFound/,
  ],
  ['a refusal of another shape', { path: '/nothing', status: 404, body: {} }, /statusCode/],
  ['a refusal of the other interface', { path: '/v2/storage/nothing', status: 404, body: notFound }, /exceptionId/],
])('%s is found', (_, changes, fault) => {
  expect(() => checkAnswer(answer(changes))).toThrow(fault);
});
