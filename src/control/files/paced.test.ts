import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { limits } from '../../core/limits.ts';
import { paced } from './paced.ts';

const { bytes, ms } = limits.uploadPace;

async function interval(clock: FakeClock): Promise<void> {
  // What was written is read first.
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  clock.advance(ms);
  await setImmediate();
}

test('B4: an upload that is slow and fast enough passes whole', async () => {
  const [clock, sender] = [new FakeClock(), new PassThrough()];
  const taken = buffer(paced(sender, { clock }));
  for (let turn = 0; turn < 5; turn += 1) {
    sender.write(Buffer.alloc(bytes / 2, turn));
    sender.write(Buffer.alloc(bytes / 2, turn));
    await interval(clock);
  }
  sender.end('end');
  expect((await taken).length).toBe(5 * bytes + 3);
});

test.each([
  ['that drips', [bytes, bytes - 1]],
  ['that stands still', [bytes, 0]],
  ['of which nothing ever comes', [0]],
])('B4: an upload %s is ended in words, and what it sends after that flows into nothing', async (_, sent) => {
  const [clock, sender] = [new FakeClock(), new PassThrough()];
  const taken = buffer(paced(sender, { clock }));
  taken.catch(() => undefined);
  for (const count of sent) {
    if (count > 0) sender.write(Buffer.alloc(count));
    await interval(clock);
  }
  await expect(taken).rejects.toMatchObject({
    code: 'file.tooSlow',
    message: `the upload stands still: ${sent.at(-1)} bytes came within 60 seconds, and at least 65536 must; nothing of it is kept, it may be sent again`,
  });
  expect(sender.destroyed).toBe(false);
  const done = once(sender, 'finish');
  sender.end(Buffer.alloc(10 * bytes));
  await done;
});

test('B4: an upload that we did not read is no slow one', async () => {
  const [clock, sender] = [new FakeClock(), new PassThrough()];
  const unread = paced(sender, { clock });
  sender.write(Buffer.alloc(10 * bytes));
  for (let turn = 0; turn < 3; turn += 1) await interval(clock);
  expect(unread.destroyed).toBe(false);
  sender.end();
  expect((await buffer(unread)).length).toBe(10 * bytes);
});

test('B4: an upload whose sender goes away ends with that', async () => {
  const sender = new PassThrough();
  const taken = buffer(paced(sender, { clock: new FakeClock() }));
  sender.write('a');
  sender.destroy();
  await expect(taken).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
});
