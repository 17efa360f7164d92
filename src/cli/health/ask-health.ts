import { z } from 'zod';
import { parseJsonText } from '../../core/parse-json-text.ts';

/** `ready` and `live` are asked apart: a live process that is not ready needs patience, one that is not live an end. */
export type Probe = 'live' | 'ready';

const shape = z.object({
  status: z.enum(['live', 'ready', 'not ready']),
  waiting: z.array(z.string()).optional(),
});

export type Health =
  | { readonly kind: 'answer'; readonly isWell: boolean; readonly waiting: readonly string[] }
  | { readonly kind: 'none'; readonly reason: string };

/** A process that takes longer is stopped or drowning. */
const answerMs = 3000;

/** Asks one place for its health. Only an abort by `signal` rejects. */
export async function askHealth(base: string, probe: Probe, signal: AbortSignal): Promise<Health> {
  const timeout = AbortSignal.timeout(answerMs);
  try {
    const response = await fetch(`${base}/health/${probe}`, {
      signal: AbortSignal.any([signal, timeout]),
      redirect: 'manual',
    });
    const parsed = shape.safeParse(jsonOf(await response.text()));
    if (!parsed.success) return { kind: 'none', reason: 'what answers is not Millrace' };
    const { status, waiting = [] } = parsed.data;
    return { kind: 'answer', isWell: status === probe, waiting };
  } catch (thrown) {
    signal.throwIfAborted();
    return { kind: 'none', reason: timeout.aborted ? `no answer within ${answerMs / 1000} seconds` : reasonOf(thrown) };
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  return cause instanceof Error && cause.message !== '' ? cause.message : 'no connection';
}
