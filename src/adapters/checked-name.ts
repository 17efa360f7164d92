import { MillraceError } from '../core/millrace-error.ts';

const maxLength = 1024;
const maxPartLength = 255;

/** Returns the object name when it is one: parts of letters, digits, `.` and `-`, joined by `/`. Else `input.invalid`. */
export function checkedName(name: string): string {
  if (!isObjectName(name)) throw invalid('object name', name);
  return name;
}

/** Splits the prefix of a listing into the folder that holds all matches and how names inside it begin. */
export function checkedPrefix(prefix: string): { readonly folder: string; readonly start: string } {
  const end = prefix.lastIndexOf('/') + 1;
  const folder = prefix.slice(0, end);
  const start = prefix.slice(end);
  if (folder !== '') checkedName(folder.slice(0, -1));
  if (start !== '' && !isPart(start)) throw invalid('prefix of object names', prefix);
  return { folder, start };
}

/** True for a name that `checkedName` gives back. */
export function isObjectName(name: string): boolean {
  return name.length <= maxLength && name.split('/').every(isPart);
}

/** A first dot is refused: it keeps `..`, temporary files and probes out. */
function isPart(part: string): boolean {
  return part.length <= maxPartLength && /^[a-zA-Z0-9-][a-zA-Z0-9.-]*$/.test(part);
}

function invalid(what: string, value: string): MillraceError {
  return new MillraceError(
    'input.invalid',
    `invalid ${what} "${value}": expected parts of letters, digits, "." and "-" joined by "/", none empty, none with a ` +
      `first ".", at most ${maxLength} characters in all`,
  );
}
