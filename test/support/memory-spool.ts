import { joinedPieces, type Spool, type SpoolPiece } from '../../src/extractor/tables/spool.ts';

/** A spool that keeps everything, and gives it back in pieces that end anywhere. */
export class MemorySpool implements Spool {
  readonly #parts = new Map<string, SpoolPiece[]>();
  readonly #pieceBytes: number;

  constructor({ pieceBytes = 4096 }: { readonly pieceBytes?: number } = {}) {
    this.#pieceBytes = pieceBytes;
  }

  append(name: string, piece: SpoolPiece): void {
    const parts = this.#parts.get(name) ?? [];
    this.#parts.set(name, parts);
    parts.push(piece);
  }

  async *read(name: string): AsyncIterable<Uint8Array> {
    const all = joinedPieces(this.#parts.get(name) ?? []);
    for (let at = 0; at < all.length; at += this.#pieceBytes) yield all.subarray(at, at + this.#pieceBytes);
  }
}
