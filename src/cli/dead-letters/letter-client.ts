import type { Schemas } from '../../client/api-client.ts';
import type { Transport } from '../transport.ts';

export type LetterShape = Schemas['DeadLetter'];
export type ShownLetterShape = Schemas['ShownDeadLetter'];
export type ReplayTrialShape = Schemas['ReplayTrial'];
export type LetterCountsShape = Schemas['DeadLetterCounts'];

export type ReplayShape = Schemas['Replay'];

const replay = '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/dead-letters/replay';

export interface ReplayTarget {
  readonly branchId: string;
  readonly sourceId: string;
  readonly sinkId: string;
}

const letters = '/v1/branches/{branchId}/dead-letters';

/** Which dead letters are meant; times are ISO 8601. */
export interface LetterFilter {
  readonly sourceId?: string;
  readonly sinkId?: string;
  readonly reason?: string;
  readonly column?: string;
  readonly since?: string;
  readonly until?: string;
}

/** Events that a mapping refused. Errors: see `Transport`. */
export class LetterClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Those that were loaded last come first; cut where they are too many bytes. */
  async list(branchId: string, query: LetterFilter & { readonly limit: number }): Promise<Schemas['DeadLetterList']> {
    return this.#transport.ask((api) => api.GET(letters, { params: { path: { branchId }, query } }));
  }

  async counts(branchId: string, query: LetterFilter & { readonly limit: number }): Promise<LetterCountsShape> {
    return this.#transport.ask((api) => api.GET(`${letters}/counts`, { params: { path: { branchId }, query } }));
  }

  /** One for each sink that refused the event. */
  async show(branchId: string, eventId: string): Promise<readonly ShownLetterShape[]> {
    const params = { path: { branchId, eventId } };
    return (await this.#transport.ask((api) => api.GET(`${letters}/{eventId}`, { params }))).letters;
  }

  /** Asks for a replay, which goes on by itself. */
  async replay(path: ReplayTarget, body: Schemas['ReplayDeadLettersBody']): Promise<ReplayShape> {
    return this.#transport.ask((api) => api.POST(replay, { params: { path }, body }));
  }

  /** What a replay would make of the first letters. */
  async tryReplay(path: ReplayTarget, body: Schemas['TryReplayBody']): Promise<ReplayTrialShape> {
    return this.#transport.ask((api) => api.POST(`${replay}/try`, { params: { path }, body }));
  }

  /** Undefined when there was none. */
  async lastReplay(path: ReplayTarget): Promise<ReplayShape | undefined> {
    return (await this.#transport.ask((api) => api.GET(replay, { params: { path } }))).replay ?? undefined;
  }

  async stopReplay(path: ReplayTarget): Promise<ReplayShape> {
    return this.#transport.ask((api) => api.POST(`${replay}/stop`, { params: { path } }));
  }

  /** Deletes some of them; not all at once. */
  async purge(
    branchId: string,
    body: LetterFilter & { readonly until: string },
  ): Promise<Schemas['PurgedDeadLetters']> {
    return this.#transport.ask((api) => api.POST(`${letters}/purge`, { params: { path: { branchId } }, body }));
  }
}
