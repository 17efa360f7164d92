/** Bytes nobody can guess. */
export type RandomBytes = (length: number) => Uint8Array;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes from here on would make some characters likelier than others. */
const fairBytes = 256 - (256 % alphabet.length);

/** Random letters and digits, each equally likely. */
export function randomText(random: RandomBytes, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < fairBytes && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}
