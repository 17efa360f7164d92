/** What stands escaped in JSON text: quotes, backslashes and control characters, those after ASCII included. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const special = /["\\\u0000-\u001f\u007f-\u009f\ud800-\udfff]/;
// oxlint-disable-next-line no-control-regex -- as above
const late = /[\u007f-\u009f]/;

/** A string as JSON text. */
export function quote(text: string): string {
  if (!special.test(text)) return `"${text}"`;
  const quoted = JSON.stringify(text);
  return late.test(text) ? escapedLate(quoted) : quoted;
}

/** Escapes the control characters after ASCII; a text may be full of them. */
function escapedLate(quoted: string): string {
  let out = '';
  let from = 0;
  for (let at = 0; at < quoted.length; at++) {
    const unit = quoted.charCodeAt(at);
    if (unit < 0x7f || unit > 0x9f) continue;
    out += `${quoted.slice(from, at)}\\u00${unit.toString(16)}`;
    from = at + 1;
  }
  return out + quoted.slice(from);
}
