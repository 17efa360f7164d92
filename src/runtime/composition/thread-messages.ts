import type { Config } from '../../config/config.ts';
import type { LogLevel } from '../../telemetry/log-level.ts';
import type { PlatformSpec } from './platform.ts';
import type { OpenSliceState } from '../../stages/stage/partition-reader.ts';
import type { MetricsSnapshot } from '../../telemetry/metrics-snapshot.ts';

/** What a worker thread is told at its start. Everything in it survives a message between threads. */
export interface ThreadSpec {
  readonly role: 'map' | 'stage';
  /** Name of the thread, stable: in one process a successor under the same name replaces its predecessor. */
  readonly instance: string;
  readonly platform: PlatformSpec;
  readonly logLevel: LogLevel;
  readonly templates: Config['templates'];
}

/** What the stage has taken and not sealed, for people. */
export type OpenSliceReport = OpenSliceState;

export type ToThread =
  | { readonly kind: 'drain' }
  | { readonly kind: 'metrics'; readonly id: number }
  | { readonly kind: 'openSlices'; readonly id: number };

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'metrics'; readonly id: number; readonly snapshot: MetricsSnapshot }
  | { readonly kind: 'openSlices'; readonly id: number; readonly slices: readonly OpenSliceReport[] };
