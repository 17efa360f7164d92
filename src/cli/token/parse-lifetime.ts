import { InvalidArgumentError } from 'commander';

const seconds: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600, d: 86_400 };

/** Reads `90d`, `12h`, `30min` or `45s` as seconds. */
export function parseLifetime(text: string): number {
  const [, count = '', unit = ''] = /^([1-9][0-9]{0,8})(s|min|h|d)$/.exec(text) ?? [];
  const lifetime = Number(count) * (seconds[unit] ?? 0);
  if (lifetime > 0) return lifetime;
  throw new InvalidArgumentError(
    '--expires-in must be a number of days, hours, minutes or seconds: 90d, 12h, 30min, 45s.',
  );
}
