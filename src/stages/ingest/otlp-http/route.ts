import { signals, type Signal } from '../../../core/event.ts';

/** A path below `/otlp/`: what names the source, and the signal at its end. */
export interface OtlpPath {
  readonly source: string;
  readonly signal: Signal;
}

/** Undefined where the path ends in no signal of version 1. */
export function parseOtlpPath(path: string): OtlpPath | undefined {
  for (const signal of signals) {
    const end = `/v1/${signal}`;
    if (path.endsWith(end)) return { source: path.slice(0, -end.length), signal };
  }
  return undefined;
}
