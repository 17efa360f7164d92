/** A rate for people: `34.0 k events/s`. */
export function rate(perSecond: number, unit: string): string {
  return `${perSecond >= 1e6 ? `${(perSecond / 1e6).toFixed(2)} M` : `${(perSecond / 1e3).toFixed(1)} k`} ${unit}/s`;
}
