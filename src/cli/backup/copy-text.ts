import { sizeText } from '../size-text.ts';

/** How far a copy is: `1.2 GB of about 3.4 GB`. */
export function copyText(
  what: string,
  { bytes, ofBytes }: { readonly bytes: number; readonly ofBytes: number },
): string {
  return `${what}: ${sizeText(bytes)} of about ${sizeText(Math.max(bytes, ofBytes))}`;
}
