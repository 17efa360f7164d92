import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../../support/api.ts';

/** A time in which a sink surely took events, or surely took none; of `performance.now()`. */
export interface Period {
  readonly isTaking: boolean;
  readonly from: number;
  readonly to: number;
}

export interface OperatorOptions {
  /** The API of each admin process. */
  readonly apis: readonly Api[];
  /** API path of the sink that is disabled and enabled. */
  readonly switched: string;
  /** Changes the mapping of another sink, back and forth. */
  readonly changeMapping: { readonly path: string; readonly bodies: readonly object[] };
  readonly random: () => number;
  readonly say: (line: string) => void;
}

const attemptsMs = 120_000;

/** Changes the configuration while everything goes wrong, at whichever admin process answers. */
export class Operator {
  readonly #options: OperatorOptions;
  readonly #periods: Period[] = [];
  /** Undefined: a request went unanswered, and what it does may still come. */
  #state: { readonly isTaking: boolean; readonly since: number } | undefined = { isTaking: true, since: 0 };
  #isEnabled = true;
  #changes = 0;
  #turn = 0;

  constructor(options: OperatorOptions) {
    this.#options = options;
  }

  /** Switches of the sink and changes of the mapping that succeeded. */
  get changes(): number {
    return this.#changes;
  }

  /** Those that are over. */
  get periods(): readonly Period[] {
    return this.#periods;
  }

  /** Works until the signal; rejects when a change does not succeed within two minutes. */
  async run(signal: AbortSignal): Promise<void> {
    const { random, changeMapping } = this.#options;
    while (!signal.aborted) {
      await sleep(3000 + random() * 5000, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (random() < 0.5) await this.#switch(!this.#isEnabled);
      else
        await this.#change(
          'PATCH',
          changeMapping.path,
          changeMapping.bodies[this.#changes % changeMapping.bodies.length],
        );
    }
  }

  /** When nothing is wrong and `run` is over: enables the sink, and knows again what it takes. */
  async settle(): Promise<void> {
    for (;;) {
      const wasKnown = this.#state?.isTaking;
      if (wasKnown === true) return;
      await this.#switch(true);
    }
  }

  /** Ends the period that is under way. */
  close(): void {
    this.#end(performance.now());
    this.#state = undefined;
  }

  async #switch(isEnabled: boolean): Promise<void> {
    const from = performance.now();
    const isClean = await this.#change('PUT', `${this.#options.switched}/${isEnabled ? 'enable' : 'disable'}`);
    this.#end(from);
    this.#state = isClean ? { isTaking: isEnabled, since: performance.now() } : undefined;
    this.#isEnabled = isEnabled;
  }

  #end(to: number): void {
    if (this.#state !== undefined) this.#periods.push({ isTaking: this.#state.isTaking, from: this.#state.since, to });
  }

  /** Repeats until it succeeded; false when an attempt before that may still have its effect. */
  async #change(method: string, path: string, body?: unknown): Promise<boolean> {
    const { apis, say } = this.#options;
    const deadline = performance.now() + attemptsMs;
    for (let isClean = true; ; isClean = false) {
      const api = apis[this.#turn % apis.length];
      try {
        await api?.task(method, path, body);
        this.#changes += 1;
        return isClean;
      } catch (thrown) {
        if (performance.now() > deadline) throw new Error(`${method} ${path} does not succeed`, { cause: thrown });
        say(`operator: ${method} ${path} again: ${inOneLine(thrown)}`);
        this.#turn += 1;
        await sleep(500);
      }
    }
  }
}

function inOneLine(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}
