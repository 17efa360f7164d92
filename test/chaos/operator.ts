import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../support/api.ts';
import type { Period } from './oracle.ts';
import { chaosSinks, remapping, sinkBody, sinkPath, sourcePath, type ChaosSink } from './shop.ts';

export interface OperatorOptions {
  /** The API of each process that serves it; asked anew for each attempt, because processes come back. */
  readonly apis: () => readonly Api[];
  readonly random: () => number;
  /** Between two changes, at least and at most. */
  readonly pauseMs: readonly [number, number];
  readonly say: (line: string) => void;
  /** A server may be away for as long as the work lasts, and a change with it. Default: no change may take longer than two minutes. */
  readonly waitsForCalm?: boolean;
  /** The stable ends of the source's topic, undefined when nobody can tell them now. Absent: what was answered is stable. */
  readonly stableEnds?: () => Promise<readonly number[] | undefined>;
}

const attemptsMs = 120_000;

/** What is known of a sink that comes and goes. */
interface Known {
  readonly sink: ChaosSink;
  readonly periods: Period[];
  isThere: boolean;
  /** Undefined: a request went unanswered, and what it does may still come. */
  state: { readonly isTaking: boolean; readonly since: number } | undefined;
}

/** Changes the configuration while everything goes wrong, at whichever process answers. */
export class Operator {
  readonly #options: OperatorOptions;
  readonly #switched: readonly Known[];
  #working: AbortSignal | undefined;
  #changes = 0;
  #remappings = 0;
  #turn = 0;

  constructor(options: OperatorOptions) {
    this.#options = options;
    this.#switched = chaosSinks
      .filter(({ switchedBy }) => switchedBy !== undefined)
      .map((sink) => ({ sink, periods: [], isThere: true, state: { isTaking: true, since: 0 } }));
  }

  /** Switches of sinks and changes of the mapping that succeeded. */
  get changes(): number {
    return this.#changes;
  }

  /** By sink id: the times that are over. */
  get periods(): ReadonlyMap<string, readonly Period[]> {
    return new Map(this.#switched.map(({ sink, periods }) => [sink.sinkId, periods]));
  }

  /** Works until the signal; rejects when a change does not succeed in time. */
  async run(signal: AbortSignal): Promise<void> {
    const { random, pauseMs } = this.#options;
    const [least, most] = pauseMs;
    this.#working = signal;
    while (!signal.aborted) {
      await sleep(least + random() * (most - least), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const known = this.#switched[Math.floor(random() * (this.#switched.length + 1))];
      if (known === undefined) await this.#remap();
      else await this.#switch(known, !known.isThere);
    }
  }

  /**
   * When nothing is wrong and `run` is over: brings every sink back, and knows again what it takes. A sink of which nothing is known is
   * taken away first, because making it again says nothing of when it was made.
   */
  async settle(): Promise<void> {
    for (const known of this.#switched)
      while (known.state?.isTaking !== true) await this.#switch(known, known.state !== undefined);
  }

  /**
   * When all is settled: takes every sink away, one after the other, for as long as `away` takes, and brings it back. A time of which
   * too little is known says nothing of its events: then once more.
   */
  async takeAwayOnce(away: () => Promise<void>): Promise<void> {
    for (const known of this.#switched) while (!(await this.#hasBeenAway(known, away)));
  }

  async #hasBeenAway(known: Known, away: () => Promise<void>): Promise<boolean> {
    await this.#switch(known, false);
    const isKnown = known.state !== undefined;
    if (isKnown) await away();
    await this.#switch(known, true);
    return isKnown && known.periods.at(-1)?.below?.length !== 0;
  }

  /** Ends the times that are under way; every sink is back. */
  close(): void {
    for (const known of this.#switched) {
      end(known, performance.now());
      known.state = undefined;
    }
  }

  async #remap(): Promise<void> {
    const { path, bodies } = remapping;
    await this.#change('PATCH', path, { body: bodies[this.#remappings % bodies.length] });
    this.#remappings += 1;
  }

  async #switch(known: Known, isThere: boolean): Promise<void> {
    const { stableEnds } = this.#options;
    const below = isThere && stableEnds !== undefined ? ((await stableEnds()) ?? []) : undefined;
    const from = performance.now();
    const isClean = await this.#bring(known.sink, isThere);
    end(known, from, below);
    known.state = isClean ? { isTaking: isThere, since: performance.now() } : undefined;
    known.isThere = isThere;
  }

  #bring(sink: ChaosSink, isThere: boolean): Promise<boolean> {
    const path = sinkPath(sink.sinkId);
    if (sink.switchedBy === 'disable') return this.#change('PUT', `${path}/${isThere ? 'enable' : 'disable'}`);
    return isThere
      ? this.#change('POST', `${sourcePath}/sinks`, { body: sinkBody(sink), isDoneWhen: 409 })
      : this.#change('DELETE', path, { isDoneWhen: 404 });
  }

  /**
   * Repeats until it succeeded; false when an attempt before that may still have its effect, or nobody knows since when it is so.
   * Finding it done already is a success, too.
   */
  async #change(
    method: string,
    path: string,
    { body, isDoneWhen }: { readonly body?: unknown; readonly isDoneWhen?: number } = {},
  ): Promise<boolean> {
    const { apis, say, waitsForCalm = false } = this.#options;
    let deadline = performance.now() + attemptsMs;
    for (let isClean = true; ; isClean = false) {
      const all = apis();
      const api = all[this.#turn % Math.max(1, all.length)];
      try {
        if (api === undefined) throw new Error('no process serves the API');
        await api.task(method, path, body);
        this.#changes += 1;
        return isClean;
      } catch (thrown) {
        if (isDoneWhen !== undefined && isAnswer(thrown, isDoneWhen)) return isClean && method === 'DELETE';
        if (waitsForCalm && this.#working?.aborted === false) deadline = performance.now() + attemptsMs;
        if (performance.now() > deadline) throw new Error(`${method} ${path} does not succeed`, { cause: thrown });
        if (isClean) say(`operator: ${method} ${path} again: ${inOneLine(thrown)}`);
        this.#turn += 1;
        await sleep(200);
      }
    }
  }
}

function end({ periods, state }: Known, to: number, below?: readonly number[]): void {
  if (state === undefined) return;
  const { isTaking, since: from } = state;
  periods.push({ isTaking, from, to, ...(isTaking || below === undefined ? {} : { below }) });
}

function isAnswer(thrown: unknown, status: number): boolean {
  return thrown instanceof Error && new RegExp(`: ${status} `).test(thrown.message);
}

function inOneLine(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}
