import { finished, PassThrough, type Readable } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';

/**
 * What a sender sends, as long as it comes fast enough: destroyed with `file.tooSlow` once less than `limits.uploadPace.bytes` came
 * within its interval, unless we were the ones who did not read. When its reader goes away, the rest of `content` flows into nothing: a
 * connection whose bytes are not read takes its answer with it.
 */
export function paced(content: Readable, { clock }: { readonly clock: Clock }): Readable {
  const taken = new PassThrough();
  const over = new AbortController();
  let came = 0;
  const count = (chunk: Buffer): void => void (came += chunk.length);
  const watch = async (): Promise<void> => {
    const { bytes, ms } = limits.uploadPace;
    for (;;) {
      came = 0;
      await clock.sleep(ms, { signal: over.signal });
      if (came < bytes && !content.isPaused()) taken.destroy(tooSlow(came));
    }
  };
  // Its end is that of the upload.
  watch().catch(() => undefined);
  finished(content, { writable: false }, (error) => {
    if (error) taken.destroy(error);
  });
  taken.once('close', () => {
    over.abort();
    content.off('data', count).unpipe(taken);
    content.resume();
  });
  return content.on('data', count).pipe(taken);
}

function tooSlow(came: number): MillraceError {
  const { bytes, ms } = limits.uploadPace;
  const message = `the upload stands still: ${came} bytes came within ${ms / 1000} seconds, and at least ${bytes} must; nothing of it is kept, it may be sent again`;
  return new MillraceError('file.tooSlow', message);
}
