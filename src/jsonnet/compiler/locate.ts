import { JsonnetError } from '../jsonnet-error.ts';
import type { Place } from '../place.ts';

/** Gives an error that has no place yet this one; all else that was thrown stays as it is. */
export function locate(error: unknown, place: Place): unknown {
  return error instanceof JsonnetError ? error.locate(place) : error;
}
