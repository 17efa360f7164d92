import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../core/settings/duration.ts';

const dayMs = 86_400_000;

/** A parser of an option that names a moment: so long ago (`90m`, `30d`), or a time with its zone. The result is ISO 8601, in UTC. */
export function parseMoment(option: string, now: () => number = Date.now): (text: string) => string {
  return (text) => {
    const ms = agoMs(text);
    const moment = ms === undefined ? timeMs(text) : now() - ms;
    const isPossible = moment !== undefined && Number.isFinite(moment) && moment >= 0 && moment < Date.UTC(10_000, 0);
    if (isPossible) return new Date(moment).toISOString();
    const wanted = 'how long ago, such as "90m" or "30d", or a time with its zone, such as "2026-11-26T03:00:00Z"';
    throw new InvalidArgumentError(`${option} must be ${wanted}.`);
  };
}

function agoMs(text: string): number | undefined {
  if (/^\d{1,6}d$/.test(text)) return Number(text.slice(0, -1)) * dayMs;
  const parsed = parseDuration(text);
  return parsed.kind === 'duration' && parsed.ms >= 0 ? parsed.ms : undefined;
}

function timeMs(text: string): number | undefined {
  const hasZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  return hasZone ? Date.parse(text) : undefined;
}
