import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { parseConfig } from '../config/config.ts';
import { pulseLimits } from './composition/pulse.ts';
import { ThreadService } from './composition/thread-service.ts';

it('L2: no thread begins when files of another build are in the place of its own, and one does when they are back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-build-'));
  try {
    const file = join(folder, 'thread-entry.mjs');
    const own = 'process.exit(0); // of thread-a.js';
    const put = (text: string): Promise<void> => writeFile(file, text);
    const { logLevel, templates, quick } = parseConfig({}, '/');
    const platform = { kind: 'embedded', dataDir: '/nowhere' } as const;
    /** What comes of a thread that begins, and what who waits for it hears; undefined: it ended well. */
    const begin = async (): Promise<readonly unknown[]> => {
      await using service = new ThreadService(
        { role: 'work', thread: 'work', instance: 'work', platform, logLevel, templates, quick },
        { entry: pathToFileURL(file), pulse: pulseLimits, onBroken: ({ message }) => expect.fail(message) },
      );
      const run = service.run(new AbortController().signal);
      const failure = (thrown: unknown): unknown => thrown;
      const comes = await run.then(() => undefined, failure);
      const heard = Promise.race([service.ready, setImmediate('nothing')]);
      return [comes, await heard.then((value) => value, failure)];
    };
    const refused = { code: 'thread.otherBuild', message: expect.stringContaining(folder) as string };
    const comes = async (): Promise<unknown> => (await begin())[0];
    await put(own);
    expect(await comes()).toBeUndefined();
    await put('process.exit(0); // of thread-b.js');
    expect(await begin()).toMatchObject([refused, refused]);
    await rm(file);
    expect(await begin()).toMatchObject([refused, refused]);
    await put(own);
    expect(await comes()).toBeUndefined();
  } finally {
    await rm(folder, { recursive: true });
  }
});
