const magic = 0xfd2fb528;
const reservedBlock = 3;
const runLengthBlock = 1;

/** Bytes of the fields of a frame's header, by their flags (RFC 8878, 3.1.1.1). */
const dictionaryIdBytes = [0, 1, 2, 4] as const;
const contentSizeBytes = [0, 2, 4, 8] as const;

/**
 * Whether a zstd frame lacks its end, as the sizes of its blocks tell (RFC 8878, 3.1.1), without decoding one. Node 22
 * gives what there is of such a frame and says nothing. False for what is no frame: its decoder says why.
 */
export function isFrameCut(encoded: Buffer): boolean {
  if (encoded.length < 5) return true;
  if (encoded.readUInt32LE(0) !== magic) return false;
  const descriptor = encoded[4] ?? 0;
  let at = 5 + headerBytes(descriptor);
  for (let isLast = false; !isLast;) {
    if (at + 3 > encoded.length) return true;
    const header = encoded.readUIntLE(at, 3);
    const type = (header >> 1) & 3;
    if (type === reservedBlock) return false;
    at += 3 + (type === runLengthBlock ? 1 : header >> 3);
    isLast = (header & 1) === 1;
  }
  const checksumBytes = (descriptor & 4) === 0 ? 0 : 4;
  return at + checksumBytes > encoded.length;
}

/** What follows the descriptor. */
function headerBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 && isSingleSegment ? 1 : (contentSizeBytes[sizeFlag] ?? 0);
  return (isSingleSegment ? 0 : 1) + (dictionaryIdBytes[descriptor & 3] ?? 0) + sizeBytes;
}
