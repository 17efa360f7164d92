import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventLogContract } from '../../../test/contract/event-log.contract.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { openLmdbEventLog } from './event-log.ts';

eventLogContract('LMDB', async () => {
  const path = await mkdtemp(join(tmpdir(), 'millrace-log-'));
  let opened = 0;
  return {
    open: () => openLmdbEventLog({ path, instance: `thread-${opened++}`, clock: systemClock }),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
});
