import { word } from '../primitives.ts';

/** Of a bucket, a database, a schema. */
export const storeName = word('a name of letters, digits, ".", "_" and "-"', /^[\w.-]{1,200}$/);
