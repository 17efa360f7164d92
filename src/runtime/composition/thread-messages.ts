import type { MessagePort } from 'node:worker_threads';
import type { ErrorCode } from '../../core/error-catalogue.ts';
import type { Config } from '../../config/config.ts';
import type { LogLevel } from '../../telemetry/log-level.ts';
import type { PlatformSpec } from './platform.ts';
import type { SharedBounds } from './shared-bounds.ts';
import type { KnownDefinitions } from '../../stages/replica/definitions.ts';
import type { SourceHindrances } from './source-hindrances.ts';
import type { Place } from './supervise-listener.ts';
import type { SourceKey } from '../../core/ids.ts';
import type { ConnectionLimits } from '../../listener/limit-connections.ts';
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

/** Where events are taken. */
export interface EventPlaces {
  readonly ingest: Place;
  /** OTLP over gRPC; absent: it is not served. */
  readonly otlpGrpc?: Place | undefined;
}

/** How events are taken. Bounds are those of the whole process. */
export interface IngestSpec {
  readonly projectId: number;
  readonly places: EventPlaces;
  readonly limits: Pick<
    Config['ingest'],
    | 'maxBodyBytes'
    | 'maxOtlpBodyBytes'
    | 'maxHeaderBytes'
    | 'maxBufferedBytes'
    | 'requestTimeoutMs'
    | 'appendTimeoutMs'
    | 'idleTimeoutMs'
  >;
  readonly connections: { readonly ingest: ConnectionLimits; readonly otlpGrpc: ConnectionLimits };
  /** With other threads; absent: there are none. */
  readonly together?: { readonly bounds: SharedBounds; readonly own: number } | undefined;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
}

/** What a worker thread is told at its start. Everything in it survives a message between threads. */
export interface ThreadSpec {
  readonly role: 'ingest' | 'map' | 'stage' | 'work';
  /** Name of the thread among those of its process. */
  readonly thread: string;
  /** Name of the thread among all, stable: in one process a successor under the same name replaces its predecessor. */
  readonly instance: string;
  readonly platform: PlatformSpec;
  readonly logLevel: LogLevel;
  readonly templates: Config['templates'];
  readonly quick: Config['quick'];
  /** Absent: traces are off. */
  readonly traces?: SpanTarget | undefined;
  /** Of the role ingest. */
  readonly ingest?: IngestSpec;
  /** Of the role work. */
  readonly work?: WorkSpec;
}

/** What it has besides. */
export interface ThreadData extends ThreadSpec {
  /** Why sources take no events as the thread starts; of the role ingest. */
  readonly hindrances?: SourceHindrances;
  /** What the process knows of sources and sinks as the thread starts; of the role ingest. Absent: the thread asks the catalog first. */
  readonly known?: KnownDefinitions;
  /** Where it asks for loads of tables; of the role work. */
  readonly loads?: MessagePort;
}

export type ToThread =
  | { readonly kind: 'drain' }
  /** End at once; see `endThread`. */
  | { readonly kind: 'leave' }
  /** Why sources take no events from now on. */
  | { readonly kind: 'hinder'; readonly hindrances: SourceHindrances }
  /** Another thread has begun to listen at the same places. */
  | { readonly kind: 'renew' }
  | ({ readonly id: number } & Question);

/** What a thread is asked. */
export type Question =
  | { readonly kind: 'metrics' }
  | { readonly kind: 'openSlices' }
  /** Answered when the thread takes no event of the source any more. */
  | { readonly kind: 'sendersRefused'; readonly key: SourceKey }
  /** Answered when the thread takes events by the definitions of now, or cannot learn them. */
  | { readonly kind: 'sendersServed' };

interface HeartBeat {
  /** How many rounds the loop of the role has made; undefined while there is none. */
  readonly rounds: number | undefined;
  /** Why services of the thread fail and start again; empty when none does. */
  readonly failures: readonly string[];
  /** One of them waits for its next try; one that is still closed does not. */
  readonly isPausing: boolean;
}

export type FromThread =
  /** Of the role ingest with where it listens. */
  | { readonly kind: 'ready'; readonly places?: EventPlaces | undefined }
  /** Again and again, and at once when a service fails; see `Heart`. */
  | ({ readonly kind: 'beat' } & HeartBeat)
  /** Nothing in the process can mend this; see `Breakdown`. */
  | { readonly kind: 'broken'; readonly code: ErrorCode; readonly message: string }
  /** An error that nobody caught: it wants to be ended, and replaced. With its code, where it is one of the product's. */
  | { readonly kind: 'failed'; readonly error: Error; readonly code?: ErrorCode | undefined }
  | { readonly kind: 'metrics'; readonly id: number; readonly snapshot: MetricsSnapshot }
  | { readonly kind: 'openSlices'; readonly id: number; readonly slices: readonly OpenSliceState[] }
  | { readonly kind: 'sendersRefused' | 'sendersServed'; readonly id: number };
