import type { Clock } from '../core/clock.ts';
import type { OpenHttpClient } from '../ports/http-client.ts';
import type { Waiting } from '../ports/waiting.ts';
import type { Manifest } from './tables/output-files.ts';
import type { Spool } from './tables/spool.ts';
import type { ExtractorLog } from './values/extractor-log.ts';
import type { JsonObject, JsonValue } from './values/json-value.ts';

/** One run of a configuration. */
export interface ExtractionRun {
  /** The whole node: `parameters` (`api`, `config`, `iterations`) and, beside it, `authorization`, `image_parameters`, `action`. */
  readonly configuration: JsonValue;
  /** What the run before gave as `state`; undefined or empty on the first one. */
  readonly state?: JsonValue | undefined;
  /** By what the configuration says of its connections; opened once, and disposed of at the end. */
  readonly openHttp: OpenHttpClient;
  readonly clock: Clock;
  /** From 0 up to 1: for the jitter of retries and for `nonce`. */
  readonly random: () => number;
  readonly log: ExtractorLog;
  /** Rows wait here until the run has ended: new for each run, and the caller removes it. */
  readonly spool: Spool;
  /** `usualLimits` where it is not given. */
  readonly limits?: ExtractionLimits | undefined;
  /** Called behind each page, with its items. */
  readonly onProgress?: ((progress: ExtractionProgress, items: readonly JsonValue[]) => void) | undefined;
}

/** Caps of one run; one that goes beyond ends with an `ExtractorError`. */
export interface ExtractionLimits {
  readonly pages: number;
  /** Items of all pages. */
  readonly rows: number;
  /** Bytes of the bodies of all answers. */
  readonly bytes: number;
  readonly durationMs: number;
}

export const usualLimits: ExtractionLimits = {
  pages: 1_000_000,
  rows: 1_000_000_000,
  bytes: 1024 ** 4,
  durationMs: 24 * 3_600_000,
};

/** So far, in all jobs. */
export interface ExtractionProgress {
  readonly pages: number;
  readonly rows: number;
  readonly bytes: number;
}

/** What a run has found. Its rows stand in the spool, so they can be read as long as the caller keeps that. */
export interface Extraction extends ExtractionProgress {
  readonly tables: readonly OutputTable[];
  /** For the next run. */
  readonly state: JsonObject;
}

export interface OutputTable {
  /** Of the file: `<bucket>.<table>`, or the table alone where the configuration names no bucket. */
  readonly fileName: string;
  /** `destination` (`in.c-<bucket>.<table>`; none: the default bucket of the component), `incremental` and `primary_key`. */
  readonly manifest: Manifest;
  /** The table without its bucket. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly primaryKey: readonly string[];
  /** How many rows it has. */
  readonly count: number;
  /** Bytes of the longest row; 0 where none comes near `limits.rowBytes`. */
  readonly longestRow: number;
  /** The rows as lines of CSV, without a header, in pieces of some kilobytes; each call reads them again. */
  readonly csv: () => AsyncIterable<Uint8Array>;
}

/**
 * Runs all jobs of a configuration. What its owner or the API can mend is an `ExtractorError`, whose text is for the user (exit code 1);
 * whatever else is thrown is a fault of this product or of its machine (exit code 2). An abort ends it at once with the signal's reason.
 */
export type RunExtraction = (run: ExtractionRun, waiting: Waiting) => Promise<Extraction>;
