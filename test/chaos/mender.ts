import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { calmProgress } from './calm-progress.ts';
import { mending, sinkPath } from './shop.ts';

export interface MenderOptions {
  /** The API of each process that serves it; asked anew for each request, because processes come back. */
  readonly apis: () => readonly Api[];
  readonly random: () => number;
  /** How long the mapping is broken, and how long it is whole, at least and at most. */
  readonly pauseMs: readonly [number, number];
}

/** What became of the dead letters of the sink that is mended. */
export interface MendedLetters {
  /** Replays that came to their end, as far as their answers arrived. */
  readonly replays: number;
  /** Letters that became rows in these. */
  readonly rows: number;
}

interface Replay {
  readonly id: string;
  readonly state: 'running' | 'stopped' | 'done' | 'failed';
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly rows: number;
  readonly refused: number;
  readonly partial: number;
}

const path = `${sinkPath('mended')}/dead-letters/replay`;
/** Also while a server is away for as long as any is. */
const withinMs = 120_000;

/** Breaks the mapping of a sink for some events, mends it and has the dead letters replayed, again and again, whatever is killed. */
export class Mender {
  readonly #options: MenderOptions;
  readonly #ended = new Map<string, Replay>();
  #turn = 0;

  constructor(options: MenderOptions) {
    this.#options = options;
  }

  get letters(): MendedLetters {
    const ended = [...this.#ended.values()];
    return { replays: ended.length, rows: ended.reduce((sum, { rows }) => sum + rows, 0) };
  }

  /** Works until the signal. What is not answered is left: the next round does it again. Rejects when a replay fails. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#try(() => this.#map(mending.broken));
      await this.#pause(signal);
      // Some are asked for too soon, so that letters are refused again.
      if (this.#options.random() < 0.8) await this.#try(() => this.#map(mending.mended));
      await this.#pause(signal);
      await this.#try(() => this.#ask());
      while (!signal.aborted && (await this.#try(() => this.#read()))?.state === 'running') await this.#pause(signal);
    }
  }

  /** When nothing is wrong: breaks the mapping, and leaves it so until there are letters that nobody has replayed. */
  async breakOnce(): Promise<void> {
    await eventually(() => this.#map(mending.broken), { withinMs });
    const { dead: before } = (await calmProgress(this.#api(), 'mended')).totals;
    await eventually(
      async () => {
        const { dead } = (await calmProgress(this.#api(), 'mended')).totals;
        if (dead <= before) throw new Error(`no event is refused by the broken mapping: ${dead} dead letters`);
      },
      { withinMs, everyMs: 200 },
    );
  }

  /** When nothing is wrong and all is delivered: mends the mapping and has all letters replayed; there are none left. */
  async settle(): Promise<MendedLetters> {
    await eventually(() => this.#map(mending.mended), { withinMs });
    await eventually(async () => requireEnded(await this.#read()), { withinMs });
    await eventually(() => this.#ask(), { withinMs });
    await eventually(async () => requireEnded(await this.#read()), { withinMs });
    const { state, refused, partial } = (await this.#read()) ?? {};
    if (state !== 'done' || refused !== 0 || partial !== 0)
      throw new Error(`the last replay ended as ${state}: ${refused} letters were refused, ${partial} not whole`);
    return this.letters;
  }

  async #map(body: object): Promise<void> {
    await this.#api().task('PATCH', sinkPath('mended'), body);
  }

  async #ask(): Promise<void> {
    await this.#api().call('POST', path, {});
  }

  async #read(): Promise<Replay | undefined> {
    const { replay } = await this.#api().call<{ readonly replay: Replay | null }>('GET', path);
    if (replay !== null && replay.state !== 'running') this.#ended.set(replay.id, replay);
    return replay ?? undefined;
  }

  /** Undefined when the process is away, or the answer is lost; a replay that failed is neither. */
  async #try<Result>(request: () => Promise<Result>): Promise<Result | undefined> {
    const result = await request().catch(() => undefined);
    for (const { failure } of this.#ended.values())
      if (failure !== null) throw new Error(`a replay of dead letters failed: ${failure.code}, ${failure.message}`);
    return result;
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const { random, pauseMs } = this.#options;
    const [least, most] = pauseMs;
    await sleep(least + random() * (most - least), undefined, { signal }).catch(() => undefined);
  }

  /** The next of those that there are. */
  #api(): Api {
    const apis = this.#options.apis();
    this.#turn += 1;
    const api = apis[this.#turn % Math.max(1, apis.length)];
    if (api === undefined) throw new Error('no process serves the API');
    return api;
  }
}

function requireEnded(replay: Replay | undefined): void {
  if (replay?.state === 'running') throw new Error('a replay runs');
}
