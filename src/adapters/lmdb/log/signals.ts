import { statSync } from 'node:fs';
import { BroadcastChannel } from 'node:worker_threads';
import type { Clock } from '../../../core/clock.ts';
import type { StoredPartition } from './keys.ts';

/** What a member wants to know. Called for changes of every thread, soon after they are durable. */
export interface LogListener {
  appended(at: StoredPartition, end: number): void;
  /** Topics or group members changed, or the log broke. */
  layoutChanged(): void;
}

export interface LogSignalsOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Another thread found that the environment takes no more writes. */
  readonly onBroken: (reason: string) => void;
}

type Message =
  | { readonly kind: 'appended'; readonly ends: readonly (readonly [number, number, number])[] }
  | { readonly kind: 'layout' }
  | { readonly kind: 'broken'; readonly reason: string };

/** Messages between threads are at least so far apart; listeners of the own thread are told at once. */
const messageIntervalMs = 20;

/**
 * Tells the threads of this process what changed in one environment. Only a hint that makes waiting short: whoever
 * waits looks into the store from time to time anyway, because a thread may end between its commit and its message.
 */
export class LogSignals {
  readonly #channel: BroadcastChannel;
  readonly #options: LogSignalsOptions;
  readonly #listeners = new Set<LogListener>();
  readonly #ends = new Map<string, readonly [number, number, number]>();
  readonly #closing = new AbortController();
  #lastMessageAt = -Infinity;
  #scheduled = false;

  constructor(options: LogSignalsOptions) {
    const { dev, ino } = statSync(options.path);
    this.#options = options;
    this.#channel = new BroadcastChannel(`millrace.log.${dev}.${ino}`);
    this.#channel.addEventListener('message', (event: unknown) => {
      this.#receive((event as { readonly data: Message }).data);
    });
    // Waiting for other threads is no reason for the process to live.
    this.#channel.unref();
  }

  listen(listener: LogListener): void {
    this.#listeners.add(listener);
  }

  unlisten(listener: LogListener): void {
    this.#listeners.delete(listener);
  }

  appended(at: StoredPartition, end: number): void {
    for (const listener of this.#listeners) listener.appended(at, end);
    this.#ends.set(`${at.number}/${at.partition}`, [at.number, at.partition, end]);
    this.#schedule();
  }

  layoutChanged(): void {
    for (const listener of this.#listeners) listener.layoutChanged();
    this.#post({ kind: 'layout' });
  }

  broken(reason: string): void {
    this.#post({ kind: 'broken', reason });
  }

  /** Sends what was not sent yet, so that a log that closes after an append leaves nobody waiting. */
  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#flush();
    this.#closing.abort();
    this.#listeners.clear();
    this.#channel.close();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    if (this.#options.clock.monotonic() - this.#lastMessageAt >= messageIntervalMs) {
      this.#scheduled = true;
      // The ends of one commit arrive one after the other in one turn and leave as one message.
      queueMicrotask(() => this.#flush());
      return;
    }
    this.#scheduled = true;
    void this.#flushLater();
  }

  async #flushLater(): Promise<void> {
    try {
      await this.#options.clock.sleep(messageIntervalMs, { signal: this.#closing.signal });
      this.#flush();
    } catch {
      // Closed while it slept: `close` has sent the message.
    }
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#ends.size === 0) return;
    const ends = [...this.#ends.values()];
    this.#ends.clear();
    this.#lastMessageAt = this.#options.clock.monotonic();
    this.#post({ kind: 'appended', ends });
  }

  /** What ends after the close was asked for is found by a look into the store. */
  #post(message: Message): void {
    if (!this.#closing.signal.aborted) this.#channel.postMessage(message);
  }

  #receive(message: Message): void {
    switch (message.kind) {
      case 'appended':
        for (const listener of this.#listeners) {
          for (const [number, partition, end] of message.ends) listener.appended({ number, partition }, end);
        }
        return;
      case 'layout':
        for (const listener of this.#listeners) listener.layoutChanged();
        return;
      case 'broken':
        this.#options.onBroken(message.reason);
        for (const listener of this.#listeners) listener.layoutChanged();
        return;
      default:
        message satisfies never;
    }
  }
}
