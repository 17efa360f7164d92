import type { Int64 } from '../wire/wire-reader.ts';
import { constant, type JsonWriter } from './json-writer.ts';
import type { SharedTexts } from './shared-texts.ts';
import { nanosField, TimeText } from './time-text.ts';

const keys = {
  started: constant(',"start_timestamp":"'),
  timestamp: constant('","timestamp":"'),
  quote: constant('"'),
  startedNanos: constant(',"start_timestamp_unix_nano":"'),
  nanos: constant(',"timestamp_unix_nano":"'),
};

interface Times {
  readonly start_time_unix_nano: Int64;
  readonly time_unix_nano: Int64;
}

interface TimesText {
  readonly head: Uint8Array;
  readonly nanos: Uint8Array;
}

const started = new TimeText();
const timestamp = new TimeText();

/** The times of the points of one metric. A collection gives all of them the same two: from the second one on their texts are kept. */
export class PointTimes {
  readonly #texts: SharedTexts;
  readonly #before: Uint8Array;
  #start: Int64 | undefined;
  #time: Int64 | undefined;
  #kept: TimesText | undefined;

  /** `before` is what stands before the times in each point. */
  constructor(texts: SharedTexts, before: Uint8Array) {
    this.#texts = texts;
    this.#before = before;
  }

  /** Makes those of a point the ones that are written. */
  set({ start_time_unix_nano: start, time_unix_nano: time }: Times): void {
    const isAgain = start === this.#start && time === this.#time;
    if (isAgain && this.#kept !== undefined) return;
    this.#start = start;
    this.#time = time;
    // Set again for the second one, too: points of other requests may have been written in between.
    started.set(start);
    timestamp.set(time);
    this.#kept = isAgain ? this.#textsOfBoth() : undefined;
  }

  /** What stands before the times, and both as RFC 3339. */
  writeHead(out: JsonWriter): void {
    if (this.#kept === undefined) this.#head(out);
    else out.constant(this.#kept.head);
  }

  /** Both as nanoseconds, where there are some. */
  writeNanos(out: JsonWriter): void {
    if (this.#kept === undefined) writeNanos(out);
    else out.constant(this.#kept.nanos);
  }

  #textsOfBoth(): TimesText {
    return { head: this.#texts.text((out) => this.#head(out)), nanos: this.#texts.text(writeNanos) };
  }

  #head(out: JsonWriter): void {
    out.constant(this.#before);
    out.constant(keys.started);
    started.write(out);
    out.constant(keys.timestamp);
    timestamp.write(out);
    out.constant(keys.quote);
  }
}

function writeNanos(out: JsonWriter): void {
  nanosField(out, keys.startedNanos, started);
  nanosField(out, keys.nanos, timestamp);
}
