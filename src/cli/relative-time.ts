const units = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
] as const;

/** How long until then, or since then when it is negative: `in 26 s`, `2 min ago`. */
export function relativeTime(ms: number): string {
  const size = Math.abs(ms);
  const unit = units.find((one) => size >= one.ms) ?? { name: 's', ms: 1000 };
  const text = `${Math.round(size / unit.ms)} ${unit.name}`;
  return ms < 0 ? `${text} ago` : `in ${text}`;
}
