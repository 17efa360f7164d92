import { expect, it } from 'vitest';
import { freePort } from '../../test/support/free-port.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { lockPorts } from './port-lock.ts';

const { signal } = new AbortController();
const patient = { clock: systemClock, patienceMs: 60_000, signal };
const impatient = { ...patient, patienceMs: 0 };

it.runIf(process.platform === 'linux')(
  'ports are held by one at a time, whichever of them he names first',
  async () => {
    const [one, two, three] = [await freePort(), await freePort(), await freePort()];
    const held = await lockPorts([one, two], patient);
    await expect(lockPorts([three, two], impatient)).rejects.toMatchObject({
      code: 'config.invalid',
      message: `port ${two} is about to be taken by another process`,
    });
    // Of what was refused nothing is held.
    await (await lockPorts([three], impatient))[Symbol.asyncDispose]();
    const following = lockPorts([two, one], patient);
    await held[Symbol.asyncDispose]();
    await (await following)[Symbol.asyncDispose]();
  },
);

it('any free port is nobody else’s', async () => {
  const held = await lockPorts([0], patient);
  await using _ = await lockPorts([0], impatient);
  await held[Symbol.asyncDispose]();
});
