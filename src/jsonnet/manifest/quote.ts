/** What stands escaped in JSON text: quotes, backslashes and control characters, those after ASCII included. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const special = /["\\\u0000-\u001f\u007f-\u009f\ud800-\udfff]/;
// oxlint-disable-next-line no-control-regex -- as above
const late = /[\u007f-\u009f]/g;

/** A string as JSON text. */
export function quote(text: string): string {
  if (!special.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(late, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}
