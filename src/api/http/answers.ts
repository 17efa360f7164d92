import type { Waiting } from '../../ports/waiting.ts';

const patienceMs = 1000;

/** True when a process of the role admin answers at this address. */
export async function answers(url: string, { signal }: Waiting): Promise<boolean> {
  try {
    const either = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    const response = await fetch(`${url}/health-check`, { signal: either });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
