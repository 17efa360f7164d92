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
    const begin = async (): Promise<void> => {
      await using service = new ThreadService(
        { role: 'work', thread: 'work', instance: 'work', platform, logLevel, templates, quick },
        { entry: pathToFileURL(file), pulse: pulseLimits, onBroken: ({ message }) => expect.fail(message) },
      );
      service.ready.catch(() => undefined);
      await service.run(new AbortController().signal).catch(async (thrown: unknown) => {
        await expect(Promise.race([service.ready, setImmediate('nobody hears it')])).rejects.toBe(thrown);
        throw thrown;
      });
    };
    await put(own);
    await begin();
    await put('process.exit(0); // of thread-b.js');
    const refused = { code: 'thread.otherBuild', message: expect.stringContaining(folder) as string };
    await expect(begin()).rejects.toMatchObject(refused);
    await rm(file);
    await expect(begin()).rejects.toMatchObject(refused);
    await put(own);
    await begin();
  } finally {
    await rm(folder, { recursive: true });
  }
});
