import type { MessagePort } from 'node:worker_threads';
import type { ErrorCode } from '../../core/error-catalogue.ts';
import type { Config } from '../../config/config.ts';
import type { LogLevel } from '../../telemetry/log-level.ts';
import type { PlatformSpec } from './platform.ts';
import type { OpenSliceState } from '../../core/accounts/open-slice-state.ts';
import type { MetricsSnapshot } from '../../telemetry/metrics-snapshot.ts';
import type { SpanTarget } from '../../telemetry/export/otlp-spans.ts';

/** How jobs are run. */
export interface WorkSpec {
  readonly atOnce: number;
  readonly timeoutMs: number;
  readonly diskBytes: number;
  readonly takeOverMs: number;
  readonly drainMs: number;
  /** As `formatHostRule` writes them. */
  readonly allowedHosts: readonly string[];
  /** As `SecretKeys` takes them. They do not leave the process. */
  readonly encryptionKeys: readonly string[];
}

/** What a worker thread is told at its start. Everything in it survives a message between threads. */
export interface ThreadSpec {
  readonly role: 'map' | 'stage' | 'work';
  /** Name of the thread, stable: in one process a successor under the same name replaces its predecessor. */
  readonly instance: string;
  readonly platform: PlatformSpec;
  readonly logLevel: LogLevel;
  readonly templates: Config['templates'];
  readonly quick: Config['quick'];
  /** Absent: traces are off. */
  readonly traces?: SpanTarget | undefined;
  /** Of the role work. */
  readonly work?: WorkSpec;
}

/** What it has besides. */
export interface ThreadData extends ThreadSpec {
  /** Where it asks for loads of tables; of the role work. */
  readonly loads?: MessagePort;
}

export type ToThread =
  | { readonly kind: 'drain' }
  /** End at once; see `endThread`. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'metrics'; readonly id: number }
  | { readonly kind: 'openSlices'; readonly id: number };

interface HeartBeat {
  /** How many rounds the loop of the role has made; undefined while there is none. */
  readonly rounds: number | undefined;
  /** Why services of the thread fail and start again; empty when none does. */
  readonly failures: readonly string[];
}

export type FromThread =
  | { readonly kind: 'ready' }
  /** Again and again, and at once when a service fails; see `Heart`. */
  | ({ readonly kind: 'beat' } & HeartBeat)
  /** Nothing in the process can mend this; see `Breakdown`. */
  | { readonly kind: 'broken'; readonly code: ErrorCode; readonly message: string }
  | { readonly kind: 'metrics'; readonly id: number; readonly snapshot: MetricsSnapshot }
  | { readonly kind: 'openSlices'; readonly id: number; readonly slices: readonly OpenSliceState[] };
