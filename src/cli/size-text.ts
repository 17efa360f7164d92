const units = [
  { name: 'TB', bytes: 1024 ** 4 },
  { name: 'GB', bytes: 1024 ** 3 },
  { name: 'MB', bytes: 1024 ** 2 },
  { name: 'KB', bytes: 1024 },
] as const;

/** A size for a person: `312 B`, `4.0 KB`, `1.2 MB`; a KB is 1024 bytes, as in the settings. */
export function sizeText(bytes: number): string {
  // What would round to 1024 of a unit is 1 of the larger one.
  const unit = units.find((one) => bytes >= one.bytes - one.bytes / 2048);
  return unit === undefined || bytes < 1024 ? `${bytes} B` : `${(bytes / unit.bytes).toFixed(1)} ${unit.name}`;
}
