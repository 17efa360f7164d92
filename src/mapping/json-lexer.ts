// Every function reads bytes that end with a NUL, so that no position needs a check against the end: NUL is legal
// nowhere in JSON. A position after what was read is positive; a fault is the complement (~) of its position.

const quote = 0x22;
const backslash = 0x5c;

/** True for the white space of JSON. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The first byte that ends a string, begins an escape or is not allowed in a string. */
export function endOfPlainText(bytes: Uint8Array, at: number): number {
  let byte = bytes[at] as number;
  while (byte !== quote && byte !== backslash && byte >= 0x20) byte = bytes[++at] as number;
  return at;
}

/** Reads a string whose opening quote stands before `at`. Does not judge whether its bytes are UTF-8. */
export function endOfString(bytes: Uint8Array, at: number): number {
  for (;;) {
    let byte = bytes[at] as number;
    while (byte !== quote && byte !== backslash && byte >= 0x20) byte = bytes[++at] as number;
    if (byte === quote) return at + 1;
    if (byte !== backslash) return ~at;
    at = endOfEscape(bytes, at + 1);
    if (at < 0) return at;
  }
}

function endOfEscape(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case quote:
    case backslash:
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return at + 1;
    case 0x75: // u
      for (let digit = at + 1; digit < at + 5; digit++) if (!isHexDigit(bytes[digit] as number)) return ~digit;
      return at + 5;
    default:
      return ~at;
  }
}

function isHexDigit(byte: number): boolean {
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function endOfDigits(bytes: Uint8Array, at: number): number {
  if (!isDigit(bytes[at] as number)) return ~at;
  do at++;
  while (isDigit(bytes[at] as number));
  return at;
}

/** Reads a number from its first byte, a digit or `-`. */
export function endOfNumber(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 0x2d) at++;
  at = bytes[at] === 0x30 ? at + 1 : endOfDigits(bytes, at);
  if (at < 0) return at;
  if (bytes[at] === 0x2e) {
    at = endOfDigits(bytes, at + 1);
    if (at < 0) return at;
  }
  if (((bytes[at] as number) | 0x20) === 0x65) {
    at++;
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
    return endOfDigits(bytes, at);
  }
  return at;
}

/** Reads `true`, `false` or `null` from its first byte; any other byte is a fault. */
export function endOfLiteral(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case 0x74:
      return endOfWord(bytes, at, 'true');
    case 0x66:
      return endOfWord(bytes, at, 'false');
    case 0x6e:
      return endOfWord(bytes, at, 'null');
    default:
      return ~at;
  }
}

function endOfWord(bytes: Uint8Array, at: number, word: string): number {
  for (let index = 1; index < word.length; index++) {
    if (bytes[at + index] !== word.charCodeAt(index)) return ~(at + index);
  }
  return at + word.length;
}
