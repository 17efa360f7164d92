import { createZstdCompress, constants, zstdCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { encoded, encoderNames, encoders, rawDeflated, type Encoder } from '../../../test/support/encoded.ts';
import { refusals, type Refusal } from '../refusal.ts';
import { codingsOf, type ContentCoding } from './content-codings.ts';
import { Decoders } from './decoders.ts';

/** A budget that says how much was counted at once. */
class Budget {
  held = 0;
  highest = 0;
  readonly #most: number;

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  hold(bytes: number): boolean {
    if (this.held + bytes > this.#most) return false;
    this.held += bytes;
    this.highest = Math.max(this.highest, this.held);
    return true;
  }

  whyNot(): Refusal {
    return refusals.tooManyRequests;
  }

  release(bytes: number): void {
    this.held -= bytes;
  }
}

const maxBytes = 256 * 1024;
const decoders = new Decoders();
const neverAborted = new AbortController();

async function decode(body: Buffer, names: readonly Encoder[], budget = new Budget()): Promise<Buffer | Refusal> {
  const codings = codingsOf(names.join()) as readonly ContentCoding[];
  budget.hold(body.length);
  return decoders.decode({ body, codings, maxBytes, memory: budget }, neverAborted);
}

const someEncoders = fc.array(fc.constantFrom(...encoderNames), { minLength: 1, maxLength: 3 });
const someBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.tuple(fc.uint8Array({ maxLength: 30 }), fc.integer({ min: 1, max: 5000 })).map(([bytes, times]) => {
    return Buffer.concat(Array.from({ length: times }, () => bytes));
  }),
);

test('A45: what senders compressed is what they compressed it from, and what counts in the end is that body', async () => {
  await fc.assert(
    fc.asyncProperty(someBytes, someEncoders, async (body, names) => {
      const budget = new Budget();
      expect(await decode(encoded(body, names), names, budget)).toEqual(Buffer.from(body));
      expect(budget.held).toBe(body.length);
    }),
    { numRuns: 300 },
  );
});

test('A45: a deflated body without the header of the zlib format is taken, too', async () => {
  await fc.assert(
    fc.asyncProperty(someBytes, async (body) => {
      expect(await decode(rawDeflated(body), ['deflate'])).toEqual(Buffer.from(body));
    }),
  );
});

test('A45: a body that is cut anywhere, or goes on behind its end, is refused in words', async () => {
  const cut = fc.tuple(someBytes, fc.constantFrom(...encoderNames), fc.nat());
  await fc.assert(
    fc.asyncProperty(cut, async ([body, name, at]) => {
      const whole = encoders[name](body);
      const words = new RegExp(
        `^The body cannot be decoded as "${name.replace('x-', '')}", as its Content-Encoding says: `,
      );
      const refused = { fault: 'invalid', name: 'badRequest', message: expect.stringMatching(words) as string };
      expect(await decode(whole.subarray(0, at % whole.length), [name])).toMatchObject(refused);
      expect(await decode(Buffer.concat([whole, Buffer.from([at % 256])]), [name])).toMatchObject(refused);
    }),
    { numRuns: 300 },
  );
});

test('A45: bytes that are changed give a body or a refusal, never an error, and never more than counts', async () => {
  const changed = fc.tuple(someBytes, fc.constantFrom(...encoderNames), fc.nat(), fc.integer({ min: 1, max: 255 }));
  await fc.assert(
    fc.asyncProperty(changed, async ([body, name, at, by]) => {
      const bytes = Buffer.from(encoders[name](body));
      const place = at % bytes.length;
      bytes[place] = (bytes[place] ?? 0) ^ by;
      const budget = new Budget();
      const result = await decode(bytes, [name], budget);
      expect('kind' in result ? 0 : budget.held - result.length).toBe(0);
      expect(budget.highest).toBeLessThanOrEqual(bytes.length + 2 * maxBytes);
    }),
    { numRuns: 500 },
  );
});

test.each(encoderNames)('D8: a body that %s made small ends at the limit, in each of its codings', async (name) => {
  const fits = Buffer.alloc(maxBytes);
  expect(await decode(encoders[name](fits), [name])).toEqual(fits);
  for (const bytes of [maxBytes + 1, 50 * 1024 * 1024]) {
    const budget = new Budget();
    const bomb = encoders[name](Buffer.alloc(bytes));
    expect(await decode(bomb, [name], budget)).toMatchObject({
      fault: 'tooLarge',
      name: 'bodyTooLarge',
      message: 'Request body size is over the maximum "256KB" after decoding. Nothing was stored.',
    });
    expect(budget.highest).toBeLessThanOrEqual(bomb.length + maxBytes);
    expect(await decode(encoders.gzip(bomb), [name, 'gzip'])).toMatchObject({ name: 'bodyTooLarge' });
  }
});

test('D8: what is decoded counts while it is made: without room for it a body is refused for a while', async () => {
  const body = encoders.gzip(Buffer.alloc(200 * 1024));
  const budget = new Budget(100 * 1024);
  expect(await decode(body, ['gzip'], budget)).toMatchObject({ name: 'tooManyRequests', stored: 'no' });
  expect(budget.highest).toBeLessThanOrEqual(100 * 1024);
  expect(budget.highest).toBeGreaterThan(50 * 1024);
});

test('D8: a window of more than 8 MB is refused, whatever is in it (RFC 9659)', async () => {
  const stream = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: 27 } });
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise<void>((resolve) => void stream.write('a', () => stream.flush(resolve)));
  await new Promise<void>((resolve) => stream.once('end', resolve).end('b'));
  expect(await decode(Buffer.concat(chunks), ['zstd'])).toMatchObject({
    message: expect.stringContaining('its window is larger than 8 MB') as string,
  });
  expect(await decode(zstdCompressSync('a'), ['zstd'])).toEqual(Buffer.from('a'));
});

test('D8: four bodies are decoded at a time, the others in order; one that nobody waits for is not begun', async () => {
  const own = new Decoders();
  const body = encoders.gzip(Buffer.alloc(100 * 1024));
  const ended: number[] = [];
  let running = 0;
  let most = 0;
  const leave = new AbortController();
  const all = Array.from({ length: 12 }, async (_, at) => {
    let isCounted = false;
    const memory = {
      hold: () => {
        if (!isCounted) running += 1;
        isCounted = true;
        most = Math.max(most, running);
        return true;
      },
      release: () => undefined,
      whyNot: () => refusals.tooManyRequests,
    };
    const signal = at < 8 ? neverAborted.signal : leave.signal;
    const result = await own.decode({ body, codings: ['gzip'], maxBytes, memory }, { signal });
    if (isCounted) running -= 1;
    ended.push(at);
    if (at === 0) leave.abort();
    return 'kind' in result ? result.name : result.length;
  });
  const results = await Promise.all(all);
  expect(results).toEqual(Array.from({ length: 12 }, (_, at) => (at < 8 ? 100 * 1024 : 'tooManyRequests')));
  expect(most).toBe(4);
  expect(ended).toHaveLength(12);
});
