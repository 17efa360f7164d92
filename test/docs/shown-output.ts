/** What differs from run to run: matched by its form. The ones of `learned` come back in later commands of a page. */
const forms: readonly { readonly pattern: RegExp; readonly learned: boolean }[] = [
  { pattern: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/, learned: true },
  { pattern: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/, learned: false },
  { pattern: /\b[0-9A-Za-z]{48}\b/, learned: true },
  { pattern: /(?<=sha256=)[0-9a-f]{64}\b/, learned: false },
  { pattern: /\b[0-9a-f]{16}\b/, learned: false },
  { pattern: /\b\d+\.\d(?= s\b)/, learned: false },
  { pattern: /(?<=curl\/)[\d.]+/, learned: false },
];
const anyForm = new RegExp(forms.map(({ pattern }) => `(${pattern.source})`).join('|'), 'g');

export interface Comparison {
  /** Undefined when the page shows what was printed. */
  readonly problem: string | undefined;
  /** Ids and secrets of the page, with the real ones that stood in their place. */
  readonly learned: ReadonlyMap<string, string>;
}

/** Compares lines of a page with what was printed. `…` stands for any text, on a line of its own for any lines. */
export function compareOutput(shown: readonly string[], printed: string): Comparison {
  const lines = printed.replace(/\n$/, '').split('\n');
  const learned = new Map<string, string>();
  let at = 0;
  let skipping = false;
  for (const line of shown) {
    skipping ||= line.trim() === '…';
    // A blank line below an ellipsis only makes the page easier to read.
    if (skipping && (line.trim() === '…' || line.trim() === '')) continue;
    const found = lines.findIndex(
      (one, index) => index >= at && (skipping || index === at) && matches(line, one, learned),
    );
    if (found === -1)
      return { problem: `shown:   ${line}\nprinted: ${lines.slice(at, at + 10).join('\n         ')}`, learned };
    at = found + 1;
    skipping = false;
  }
  const rest = lines.slice(at).join('\n');
  if (skipping || rest.trim() === '') return { problem: undefined, learned };
  return { problem: `printed, but not shown: ${rest}`, learned };
}

function matches(shown: string, printed: string, learned: Map<string, string>): boolean {
  const placeholders: (string | undefined)[] = [];
  let pattern = '';
  let end = 0;
  for (const found of shown.matchAll(anyForm)) {
    const form = forms[found.slice(1).findIndex((group) => group !== undefined)];
    if (form === undefined) continue;
    pattern += `${literal(shown.slice(end, found.index))}(${form.pattern.source})`;
    placeholders.push(form.learned ? found[0] : undefined);
    end = found.index + found[0].length;
  }
  const match = new RegExp(`^${pattern}${literal(shown.slice(end))}$`).exec(printed.trimEnd());
  if (match === null) return false;
  for (const [index, text] of placeholders.entries()) {
    if (text !== undefined) learned.set(text, match[index + 1] ?? '');
  }
  return true;
}

/** Blanks of any number are alike: columns are as wide as what stands in them. */
function literal(text: string): string {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return escaped.replaceAll('…', '.*').replaceAll(/ {2,}/g, ' {2,}');
}
