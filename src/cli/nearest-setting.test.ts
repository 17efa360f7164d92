import { expect, test } from 'vitest';
import { MillraceError } from '../core/millrace-error.ts';
import { settingCatalogue } from '../core/settings/setting-catalogue.ts';
import { withNearestKeys } from './nearest-setting.ts';

const known = { settings: () => Promise.resolve(settingCatalogue), list: 'list them' };
const lists = ' "list them" lists the settings.';

async function messageFor(...keys: readonly string[]): Promise<unknown> {
  const refused = new MillraceError('client.refused', 'Key not found.');
  const changes = keys.map((key) => ({ key }));
  return ((await withNearestKeys(refused, changes, known)) as Error).message;
}

test('a key of a setting that is not known gets the one that was probably meant, and what lists all', async () => {
  expect(await messageFor('ingest.bach')).toBe(`Key not found. Did you mean "ingest.batch"?${lists}`);
  const interval = 'storage.level.target.import.trigger.interval';
  expect(await messageFor('import.trigger.interval')).toBe(`Key not found. Did you mean "${interval}"?${lists}`);
  expect(await messageFor('trigger.interval')).toBe(`Key not found.${lists}`);
  expect(await messageFor('ingest.batch', 'nothing.like.it')).toBe(`Key not found.${lists}`);
  expect(await messageFor('ingest.batch')).toBe('Key not found.');
});

test('another error stays as it is, and so does a refusal when nobody says what keys there are', async () => {
  const other = new Error('other');
  expect(await withNearestKeys(other, [{ key: 'ingest.bach' }], known)).toBe(other);
  const refused = new MillraceError('client.refused', 'Key not found.');
  const gone = { ...known, settings: () => Promise.reject(new Error('gone')) };
  expect(await withNearestKeys(refused, [{ key: 'ingest.bach' }], gone)).toMatchObject({ message: 'Key not found.' });
});
