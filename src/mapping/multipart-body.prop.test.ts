import { Buffer, isUtf8 } from 'node:buffer';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '../core/limits.ts';
import { formJson } from './form-value.ts';
import { parseMultipart } from './multipart-body.ts';

interface Sent {
  readonly body: Buffer;
  readonly type: string;
}

/** As a browser sends it. */
async function sent(form: FormData): Promise<Sent> {
  const response = new Response(form);
  return { body: Buffer.from(await response.arrayBuffer()), type: response.headers.get('content-type') ?? '' };
}

function read({ body, type }: Sent): unknown {
  const form = parseMultipart(body, type);
  return form.kind === 'form' ? JSON.parse(formJson(form.root) ?? 'null') : form.message;
}

const name = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((text) => text.isWellFormed() && !/["\\\s%[\];]/.test(text));
const text = fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed());

test('A48: what a browser sends is read: a text for a field, an object for a file', async () => {
  const file = fc.record({ filename: name, bytes: fc.uint8Array({ maxLength: 50 }), isText: fc.boolean() });
  const fields = fc.dictionary(name, fc.oneof(text, file), { maxKeys: 8 });
  await fc.assert(
    fc.asyncProperty(fields, async (values) => {
      const form = new FormData();
      const expected = new Map<string, unknown>();
      for (const [field, value] of Object.entries(values)) {
        if (typeof value === 'string') {
          form.append(field, value);
          expected.set(field, value.replaceAll(/\r\n?|\n/g, '\r\n'));
          continue;
        }
        const bytes = value.isText ? Buffer.from(Buffer.from(value.bytes).toString('hex')) : Buffer.from(value.bytes);
        form.append(field, new Blob([bytes], { type: 'text/csv' }), value.filename);
        const held =
          isUtf8(bytes) && !bytes.includes(0) ? { content: bytes.toString() } : { base64: bytes.toString('base64') };
        expected.set(field, { filename: value.filename, contentType: 'text/csv', size: String(bytes.length), ...held });
      }
      expect(read(await sent(form))).toEqual(Object.fromEntries(expected));
    }),
    { examples: [[Object.fromEntries([['__proto__', 'a']])]] },
  );
});

test('A48: names with brackets are read as in a form, and of a name that comes again the last counts', async () => {
  const form = new FormData();
  for (const [field, value] of [
    ['a[b]', '1'],
    ['l[]', 'x'],
    ['l[]', 'y'],
    ['z', '1'],
    ['z', '2'],
  ] as const) {
    form.append(field, value);
  }
  expect(read(await sent(form))).toEqual({ a: { b: '1' }, l: ['x', 'y'], z: '2' });
});

const type = 'multipart/form-data; boundary=b';
const part = (head: string, content: string): string => `--b\r\n${head}\r\n\r\n${content}\r\n`;
const field = part('Content-Disposition: form-data; name="a"', '1');

test.each([
  ['multipart/form-data', field, 'its Content-Type names no boundary'],
  [
    `multipart/form-data; boundary=${'b'.repeat(71)}`,
    field,
    'the boundary in its Content-Type is longer than 70 characters',
  ],
  [type, '', 'Multipart stream not finished'],
  [type, field, 'Multipart stream not finished'],
  [type, 'a=1', 'missing initial boundary'],
  [type, `${part('Content-Type: text/plain', '1')}--b--`, 'part 1 has no name in a Content-Disposition header'],
  [type, `${part(`X: ${'x'.repeat(9000)}`, '1')}--b--`, 'header size exceeds maximum allowed size of 8192 bytes'],
  [type, `${field.repeat(limits.formParts + 1)}--b--`, 'part count exceeds maximum allowed count of 1000'],
])('A48: a body of content type %s that cannot be read is refused in words', (contentType, body, message) => {
  expect(parseMultipart(Buffer.from(body), contentType)).toEqual({
    kind: 'invalid',
    message: expect.stringContaining(message) as string,
  });
});

test('A48: a body that is cut anywhere before its closing boundary is refused', async () => {
  const form = new FormData();
  form.append('a', 'x\r\n--');
  form.append('file', new Blob([Buffer.from([0, 255, 13, 10])]), 'f');
  const { body, type: contentType } = await sent(form);
  const end = body.lastIndexOf('--');
  for (let at = 0; at < end + 2; at += 1) {
    expect(parseMultipart(body.subarray(0, at), contentType).kind).toBe('invalid');
  }
});

test('A48: random bytes never throw', () => {
  const unit = fc.constantFrom(
    '--b',
    '--',
    '\r\n',
    '\r\n\r\n',
    'Content-Disposition: form-data; name="a"',
    "content-disposition: x; name=a[0]; filename*=utf-9''%ff; filename=\"\\",
    ';'.repeat(50),
    'ü',
    '\0',
  );
  const texts = fc.array(unit, { maxLength: 30 }).map((units) => Buffer.from(`--b\r\n${units.join('')}`));
  const bytes = fc.uint8Array().map((tail) => Buffer.concat([Buffer.from(field), tail, Buffer.from('\r\n--b--')]));
  fc.assert(
    fc.property(fc.oneof(texts, bytes), (body) => {
      expect(['form', 'invalid']).toContain(parseMultipart(body, type).kind);
    }),
    { numRuns: 1000 },
  );
});
