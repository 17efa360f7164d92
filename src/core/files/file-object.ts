/** Name of the object with the bytes of a file: `files/<file id>/<stamp>-<unique>`. `stamp` is when it was put, milliseconds. */
export interface FileObject {
  readonly fileId: string;
  readonly stamp: number;
  /** Letters and digits that make the name unique. */
  readonly unique: string;
}

/** What all of these names begin with, and no name of a slice. */
export const fileObjects = 'files/';

export function fileObject({ fileId, stamp, unique }: FileObject): string {
  return `${fileObjects}${fileId}/${stamp}-${unique}`;
}

/** The inverse of `fileObject`; undefined for an object that is none of a file. */
export function parseFileObject(name: string): FileObject | undefined {
  const match = /^files\/([1-9]\d{0,14})\/(\d{1,15})-([a-zA-Z0-9]+)$/.exec(name);
  if (match === null) return undefined;
  const [, fileId = '', stamp = '', unique = ''] = match;
  return { fileId, stamp: Number(stamp), unique };
}
