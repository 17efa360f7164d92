/** Texts and bytes that wait on a disk or in memory. What was appended to a name is read in its order. */
export interface Spool {
  /**
   * `name` has letters of ASCII, digits and points alone, and is short: a file may be called like that. Bytes are the spool's then. What
   * it returns is waited for before the next call.
   */
  append(name: string, piece: SpoolPiece): void | Promise<void>;
  /** As UTF-8, in pieces of any length. Also while others are appended to; a name that has nothing is empty. */
  read(name: string): AsyncIterable<Uint8Array>;
}

export type SpoolPiece = string | Uint8Array;

/** Several pieces as one. */
export function joinedPieces(pieces: readonly SpoolPiece[]): Uint8Array {
  const parts = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}
