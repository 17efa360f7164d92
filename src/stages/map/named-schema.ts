/** The schema that a value names before its payload. */
export type NamedSchema =
  | { readonly kind: 'named'; readonly id: number; readonly payload: Uint8Array }
  | { readonly kind: 'unnamed'; readonly problem: string };

const headerBytes = 5;

/** Reads how Confluent's serializers begin a value: a byte 0, the schema's id in four bytes, big-endian, then the payload. */
export function namedSchema(value: Uint8Array): NamedSchema {
  if (value[0] !== 0) {
    const byte = (value[0] ?? 0).toString(16).padStart(2, '0');
    return { kind: 'unnamed', problem: `the value names no schema: its first byte is 0x${byte} instead of 0x00` };
  }
  if (value.length < headerBytes)
    return { kind: 'unnamed', problem: `the value names no schema: it has only ${value.length} bytes` };
  const id = new DataView(value.buffer, value.byteOffset, headerBytes).getUint32(1);
  return { kind: 'named', id, payload: value.subarray(headerBytes) };
}
