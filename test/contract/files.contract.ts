import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rootToken } from '../support/admin-harness.ts';
import { describedFetch } from '../support/api.ts';
import { ClockAhead } from '../support/clock-ahead.ts';
import { matching } from '../support/matching.ts';
import { limits } from '../../src/core/limits.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { adminOnStores, type OpenStores } from './admin-on-stores.ts';

const F = '/v2/storage/files';

/** What `/v2/storage` promises of files, whatever keeps their bytes. */
export function filesContract(name: string, openStores: OpenStores): void {
  describe(name, () => {
    const clock = new ClockAhead(systemClock);
    const admin = adminOnStores(openStores, { clock });

    interface FileShape {
      readonly id: number;
      readonly url: string;
    }

    const prepare = (body: unknown) => admin.harness.api.request('POST', `${F}/prepare`, body);
    const prepared = (body: object = {}) =>
      admin.harness.api.call<FileShape>('POST', `${F}/prepare`, { name: 'a.csv', ...body });
    const headers = { 'X-StorageApi-Token': rootToken };

    async function put(id: number, body: string | Uint8Array<ArrayBuffer>): Promise<{ status: number; body: unknown }> {
      const response = await describedFetch(`${admin.harness.base}${F}/${id}/content`, {
        method: 'PUT',
        headers,
        body,
      });
      return { status: response.status, body: await response.json() };
    }

    async function uploaded(body: object): Promise<FileShape> {
      const file = await prepared(body);
      expect(await put(file.id, 'a,b\n')).toMatchObject({ status: 200 });
      return file;
    }

    const { signal } = new AbortController();
    async function objects(id: number): Promise<number> {
      let found = 0;
      for await (const _ of admin.harness.dependencies.objects.list(`files/${id}/`, { signal })) found += 1;
      return found;
    }
    const spooled = (): Promise<readonly string[]> => readdir(join(admin.harness.dependencies.localFolder, 'uploads'));

    test('B4: a file is prepared, uploaded to the URL of the answer, shown, downloaded and deleted', async () => {
      const body = { name: 'Größe.csv', tags: ['shop', 'nightly', 'shop'], contentType: 'text/csv', sizeBytes: 5 };
      const file = await prepared(body);
      expect(file).toMatchObject({
        name: 'Größe.csv',
        tags: ['shop', 'nightly'],
        contentType: 'text/csv',
        sizeBytes: 5,
        isPermanent: false,
        isUploaded: false,
        creatorToken: { id: 1 },
        upload: { method: 'PUT', url: `${admin.harness.base}${F}/${file.id}/content` },
      });
      const bytes = Uint8Array.from([0, 255, 13, 10, 34]);
      expect(await put(file.id, bytes)).toMatchObject({ status: 200, body: { isUploaded: true, sizeBytes: 5 } });
      const shown = await admin.harness.api.call<FileShape>('GET', `${F}/${file.id}`);
      expect(shown).not.toHaveProperty('upload');
      const content = await describedFetch(shown.url, { headers });
      expect(content.headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe.csv");
      expect(content.headers.get('content-type')).toBe('application/octet-stream');
      expect(new Uint8Array(await content.arrayBuffer())).toEqual(bytes);
      expect(await objects(file.id)).toBe(1);
      expect(await admin.harness.api.request('DELETE', `${F}/${file.id}`)).toMatchObject({ status: 204 });
      const gone = { status: 404, body: { code: 'storage.files.notFound' } };
      for (const path of ['', '/content'])
        expect(await admin.harness.api.request('GET', `${F}/${file.id}${path}`)).toMatchObject(gone);
      expect(await objects(file.id)).toBe(0);
    });

    test('B4: fields come as a form, too', async () => {
      const form = new URLSearchParams([
        ['name', 'form.csv'],
        ['sizeBytes', '4'],
        ['isPermanent', '1'],
        ['tags', '["a","b"]'],
        ['federationToken', '1'],
      ]);
      const response = await describedFetch(`${admin.harness.base}${F}/prepare`, {
        method: 'POST',
        headers,
        body: form,
      });
      expect([response.status, await response.json()]).toMatchObject([
        201,
        { name: 'form.csv', sizeBytes: 4, isPermanent: true, tags: ['a', 'b'] },
      ]);
    });

    test.each([
      [{}, '"name" is missing from body'],
      [{ name: '' }, 'ody.name must be a text of 1 to 255 characters'],
      [{ name: 'x'.repeat(256) }, 'ody.name must be a text'],
      [{ name: 'a\u0000' }, 'ody.name must be a text'],
      [{ name: ['a'] }, 'ody.name must be a text'],
      [{ name: 'a', sizeBytes: -1 }, 'ody.sizeBytes must be a number of bytes'],
      [{ name: 'a', sizeBytes: '1e3' }, 'ody.sizeBytes must be a number of bytes'],
      [{ name: 'a', tags: [7] }, 'ody.tags must be a list'],
      [{ name: 'a', tags: Array.from({ length: 101 }, (_, at) => `t${at}`) }, 'ody.tags must be a list of at most 100'],
      [{ name: 'a', tags: ['x'.repeat(256)] }, 'ody.tags must be a list'],
      [{ name: 'a', isPermanent: 'yes' }, 'ody.isPermanent must be true or false'],
      [{ name: 'a', contentType: 'text/html\r\nX: y' }, 'ody.contentType must be a media type'],
      [{ name: 'a', isSliced: true }, 'a file is uploaded in one piece'],
    ])('B4: a file that cannot be is refused in words: %#', async (body, text) => {
      const answer = await prepare(body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'storage.files.validation' } });
      expect(answer.text.replaceAll('\\"', '"')).toContain(text);
      expect(answer.text.length).toBeLessThan(2000);
    });

    test('B4, D8: a file beyond the limit is refused when it is announced', async () => {
      const error = matching(/at most 5368709120 bytes/);
      expect(await prepare({ name: 'a', sizeBytes: limits.fileBytes + 1 })).toMatchObject({
        status: 413,
        body: { error },
      });
    });

    test('B4: an upload of another size than announced leaves nothing, and may be sent again', async () => {
      const file = await prepared({ sizeBytes: 10 });
      for (const content of ['123456789', '12345678901', '', 'x'.repeat(50_000)]) {
        const answer = await put(file.id, content);
        expect(answer).toMatchObject({ status: 400, body: { error: matching(/announced with 10 bytes/) } });
      }
      expect([await objects(file.id), await spooled()]).toEqual([0, []]);
      expect(await admin.harness.api.call('GET', `${F}/${file.id}`)).toMatchObject({ isUploaded: false });
      expect(await put(file.id, '1234567890')).toMatchObject({ status: 200 });
      const again = { status: 400, body: { code: 'storage.files.alreadyUploaded' } };
      expect(await put(file.id, '1234567890')).toMatchObject(again);
    });

    test('B4: an upload that breaks off leaves nothing that anybody sees', async () => {
      const file = await prepared({ name: 'broken.csv' });
      const sending = httpRequest(`${admin.harness.base}${F}/${file.id}/content`, {
        method: 'PUT',
        headers: { ...headers, 'Content-Length': 1_000_000 },
      });
      sending.on('error', () => undefined);
      sending.write('x'.repeat(100_000));
      await expect.poll(spooled).toHaveLength(1);
      sending.destroy();
      await expect.poll(spooled).toEqual([]);
      expect(await objects(file.id)).toBe(0);
      expect(await admin.harness.api.call('GET', `${F}/${file.id}`)).toMatchObject({ isUploaded: false });
      expect(await admin.harness.api.call('GET', `${F}?q=broken`)).toEqual([]);
      const early = { status: 400, body: { code: 'storage.fileNotUploaded' } };
      expect(await admin.harness.api.request('GET', `${F}/${file.id}/content`)).toMatchObject(early);
      expect(await put(file.id, 'whole')).toMatchObject({ status: 200 });
    });

    test('B4: of several uploads of one file at once one is kept, whole', async () => {
      const file = await prepared();
      const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(100_000));
      const answers = await Promise.all(texts.map((text) => put(file.id, text)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => ![200, 400, 409].includes(status))).toEqual([]);
      const content = await (await fetch(`${admin.harness.base}${F}/${file.id}/content`, { headers })).text();
      expect(texts).toContain(content);
      expect(await objects(file.id)).toBe(1);
    });

    test('B4: an encoding of the request is refused: bytes are kept as they are sent', async () => {
      const file = await prepared();
      const init = { method: 'PUT', headers: { ...headers, 'Content-Encoding': 'gzip' }, body: 'x' };
      expect((await describedFetch(`${admin.harness.base}${F}/${file.id}/content`, init)).status).toBe(415);
    });

    test('B4: files are listed the newest first, by all of some tags and a part of the name, in pages', async () => {
      await uploaded({ name: 'List-One.csv', tags: ['list', 'one'] });
      await uploaded({ name: 'list-two.csv', tags: ['list', 'two'] });
      await prepared({ name: 'list-waiting.csv', tags: ['list'] });
      const names = async (query: string) =>
        (await admin.harness.api.call<readonly { name: string }[]>('GET', `${F}?${query}`)).map(({ name }) => name);
      expect(await names('tags=list')).toEqual(['list-two.csv', 'List-One.csv']);
      expect(await names('tags[]=list&tags[]=one')).toEqual(['List-One.csv']);
      expect(await names('tags=list&limit=1')).toEqual(['list-two.csv']);
      expect(await names('tags=list&limit=1&offset=1')).toEqual(['List-One.csv']);
      expect(await names('q=LIST-')).toEqual(['list-two.csv', 'List-One.csv']);
      expect(await admin.harness.api.request('GET', `${F}?limit=1001`)).toMatchObject({ status: 400 });
    });

    test('B4: tags come and go', async () => {
      const { id } = await uploaded({ tags: ['a'] });
      for (const tag of ['b/c', 'b/c', 'ü'])
        expect(await admin.harness.api.request('POST', `${F}/${id}/tags`, { tag })).toMatchObject({ status: 201 });
      expect(await admin.harness.api.call('GET', `${F}/${id}`)).toMatchObject({ tags: ['a', 'b/c', 'ü'] });
      for (const tag of ['a', 'b%2Fc', 'none'])
        expect(await admin.harness.api.request('DELETE', `${F}/${id}/tags/${tag}`)).toMatchObject({ status: 204 });
      expect(await admin.harness.api.call('GET', `${F}/${id}`)).toMatchObject({ tags: ['ü'] });
      for (const body of [{}, { tag: '' }, { tag: 'x'.repeat(256) }, { tag: 1 }])
        expect(await admin.harness.api.request('POST', `${F}/${id}/tags`, body)).toMatchObject({
          status: 400,
          body: { code: 'storage.files.validation' },
        });
    });

    test.each(['0', '-1', '1e9', 'x', '%00', '9'.repeat(20)])('B4: %s is no file', async (id) => {
      for (const path of [`${F}/${id}`, `${F}/${id}/content`])
        expect(await admin.harness.api.request('GET', path)).toMatchObject({ status: 404 });
      const init = { method: 'PUT', headers, body: 'x' };
      expect((await fetch(`${admin.harness.base}${F}/${id}/content`, init)).status).toBe(404);
    });

    test('B4: nobody without the right uploads or sees a file', async () => {
      const { token } = await admin.harness.api.call<{ token: string }>('POST', '/v2/storage/tokens', {
        role: 'readOnly',
      });
      const file = await prepared();
      const at = `${admin.harness.base}${F}/${file.id}`;
      const status = async (text: string, init: RequestInit, path = '/content'): Promise<number> =>
        (await fetch(`${at}${path}`, { ...init, headers: { 'X-StorageApi-Token': text } })).status;
      expect(await status(token, { method: 'PUT', body: 'x' })).toBe(403);
      expect(await status('wrong', { method: 'PUT', body: 'x' })).toBe(401);
      expect(await status('wrong', {}, '')).toBe(401);
      expect((await fetch(`${at}/content`, { method: 'PUT', body: 'x'.repeat(100_000) })).status).toBe(401);
      expect(await admin.harness.api.call('GET', `${F}/${file.id}`)).toMatchObject({ isUploaded: false });
    });

    test('B5: a file whose time is over is not found any more, whether it has been removed yet or not', async () => {
      const [old, kept] = [await uploaded({}), await uploaded({ isPermanent: true })];
      const waiting = await prepared({ isPermanent: true });
      clock.aheadMs = limits.fileUploadMs;
      expect(await admin.harness.api.request('GET', `${F}/${waiting.id}`)).toMatchObject({ status: 404 });
      expect(await put(waiting.id, 'late')).toMatchObject({ status: 404 });
      expect(await admin.harness.api.request('GET', `${F}/${old.id}`)).toMatchObject({ status: 200 });
      clock.aheadMs = limits.fileAgeMs;
      expect(await admin.harness.api.request('GET', `${F}/${old.id}`)).toMatchObject({ status: 404 });
      expect(await admin.harness.api.request('GET', `${F}/${kept.id}`)).toMatchObject({ status: 200 });
      clock.aheadMs = 0;
    });
  });
}
