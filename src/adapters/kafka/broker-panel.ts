import { panelGraceMs, panelPauseMs } from './config.ts';

/**
 * Asks all brokers at once what each may know differently. It does not wait for a broker that gave no answer last time:
 * one that is dead or hangs holds up a single question for a moment, and is waited for again once it has answered.
 */
export class BrokerPanel {
  /** Brokers that were late or failed; `asked`: they are not asked anew. */
  readonly #silent = new Map<string, 'asked' | 'idle'>();

  /**
   * The answers that are there a moment after the first, in the order in which they came. Rejects with a failure when no broker
   * answers.
   */
  async ask<T>(nodeIds: readonly string[], question: (nodeId: string) => Promise<T>): Promise<readonly T[]> {
    const answers: T[] = [];
    const expected = new Set(nodeIds.filter((nodeId) => !this.#silent.has(nodeId)));
    const { promise: allHeard, resolve } = Promise.withResolvers<void>();
    const asked = this.#free(nodeIds).map(async (nodeId) => {
      try {
        answers.push(await this.#hear(nodeId, question));
      } finally {
        expected.delete(nodeId);
        if (expected.size === 0) resolve();
      }
    });
    try {
      await Promise.any(asked);
    } catch (thrown) {
      throw thrown instanceof AggregateError ? thrown.errors.at(-1) : thrown;
    }
    if (expected.size > 0) await withinMs(allHeard, panelGraceMs);
    for (const nodeId of expected) this.#silent.set(nodeId, 'asked');
    return [...answers];
  }

  #free(nodeIds: readonly string[]): readonly string[] {
    const free = nodeIds.filter((nodeId) => this.#silent.get(nodeId) !== 'asked');
    return free.length > 0 ? free : nodeIds;
  }

  async #hear<T>(nodeId: string, question: (nodeId: string) => Promise<T>): Promise<T> {
    if (this.#silent.has(nodeId)) this.#silent.set(nodeId, 'asked');
    try {
      const answer = await question(nodeId);
      this.#silent.delete(nodeId);
      return answer;
    } catch (thrown) {
      this.#silent.set(nodeId, 'asked');
      setTimeout(() => this.#silent.has(nodeId) && this.#silent.set(nodeId, 'idle'), panelPauseMs).unref();
      throw thrown;
    }
  }
}

async function withinMs(work: Promise<void>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, late]);
  clearTimeout(timer);
}
