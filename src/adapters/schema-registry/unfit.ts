/** Why a JSON value does not fit a schema, and where; never leaves the folder. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
  readonly path: readonly string[];

  constructor(path: readonly string[], problem: string) {
    super(problem);
    this.path = path;
  }
}

/** `field "items.0.total": it is no double`. */
export function unfitText({ path, message }: Unfit): string {
  return path.length === 0 ? message : `field "${path.join('.')}": ${message}`;
}

/** A value in a message, cut; what is large is not written out first. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > longest ? `${value.slice(0, longest)}…` : value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

const longest = 60;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The bytes of a text in base64. */
export function bytesOf(text: string, path: readonly string[]): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '')) return bytes;
  throw new Unfit(path, `${shown(text)} is no base64, which bytes are written in`);
}
