export const compressionTypes = ['none', 'gzip'] as const;

/** How the bytes of staged objects are made of their lines. */
export interface Compression {
  readonly type: (typeof compressionTypes)[number];
  /** From 1, the fastest, to 9. */
  readonly gzipLevel: number;
}
