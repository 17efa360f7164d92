const safeCharacters = /^[\w./-]+$/;

/** What reads as something else than a string, or not at all. */
const readsOtherwise: readonly RegExp[] = [
  /^(?:true|false|yes|no|on|off|y|n|null|-|---)$/i,
  /^(?:-?\.?inf|-?infinity|\.?nan)$/i,
  // A date.
  /^\d*-\d*-\d*$/,
  // An integer or a float; underscores may stand between digits.
  /^-?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e-?\d+(?:_\d+)*)?$/i,
  /^-?0b[01_]+$/,
  /0x[\da-fA-F_]/,
];

/** Whether a key can stand in YAML without quotes and still be read as that string. */
export function isBareYamlKey(key: string): boolean {
  return safeCharacters.test(key) && !readsOtherwise.some((pattern) => pattern.test(key));
}
