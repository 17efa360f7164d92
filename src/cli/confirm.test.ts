import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { canAsk, confirm } from './confirm.ts';

const { signal } = new AbortController();

async function answered(typed: string): Promise<{ readonly yes: boolean; readonly shown: string }> {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  stdin.end(typed);
  const yes = await confirm({ stdin, stderr }, 'Do it?', signal);
  stderr.end();
  return { yes, shown: await text(stderr) };
}

describe('a question before something is done', () => {
  it('is answered with yes and with nothing else', async () => {
    expect(await answered('yes\n')).toEqual({ yes: true, shown: 'Do it? Only "yes" does it: ' });
    for (const typed of ['y\n', 'no\n', '\n', 'YES\n', '']) expect((await answered(typed)).yes, typed).toBe(false);
  });

  it('ends as cancelled when the command is interrupted', async () => {
    const controller = new AbortController();
    const [stdin, stderr] = [new PassThrough(), new PassThrough().resume()];
    const asked = confirm({ stdin, stderr }, 'Do it?', controller.signal);
    controller.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is asked only where a person types and sees it', () => {
    const typing = Object.assign(new PassThrough(), { isTTY: true });
    expect(canAsk({ stdin: typing, interactive: true })).toBe(true);
    expect(canAsk({ stdin: typing, interactive: false })).toBe(false);
    expect(canAsk({ stdin: new PassThrough(), interactive: true })).toBe(false);
  });
});
