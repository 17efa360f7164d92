import { hostname } from 'node:os';
import type { Config } from '../../config/config.ts';
import { limits } from '../../core/limits.ts';
import type { SpanTarget } from '../../telemetry/export/otlp-spans.ts';
import { observeSpans } from '../../telemetry/observe-spans.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { systemClock } from '../system-clock.ts';
import { productVersion } from '../version.ts';
import type { Platform } from './platform.ts';
import { within } from './within.ts';

/** What the spans of a thread are exported with; undefined: traces are off. */
export function spanTargetOf(
  {
    config,
    platform,
  }: { readonly config: Pick<Config, 'traces'>; readonly platform: Pick<Platform, 'instance' | 'spec'> },
  thread: string,
): SpanTarget | undefined {
  const { traces } = config;
  // One process has its data folder for itself, and no name among others but its machine's.
  const instance = platform.spec.kind === 'embedded' ? hostname() : platform.instance;
  return traces && { ...traces, version: productVersion, instance, thread };
}

/**
 * The telemetry of a thread with spans, where they are wanted: only then is the room loaded that exports them. What waits for its export
 * when `stack` is disposed gets a moment for it.
 */
export async function withSpans(
  telemetry: Telemetry,
  target: SpanTarget | undefined,
  stack: AsyncDisposableStack,
): Promise<Telemetry> {
  if (target === undefined) return telemetry;
  const { exportSpans } = await import('../../telemetry/export/otlp-spans.ts');
  const observer = observeSpans(telemetry);
  const spans = exportSpans(target, { clock: systemClock, random: Math.random, observer });
  stack.defer(async () => {
    await within(limits.spanExportMs + 1000, () => spans.end().catch(() => undefined));
  });
  return { ...telemetry, spans };
}
