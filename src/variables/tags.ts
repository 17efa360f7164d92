import { invalidConfiguration, VariableError } from './variable-error.ts';

/** What stands between the delimiters of a template; `empty` becomes nothing: a comment, a partial, `{{.}}`. */
export interface Tag {
  readonly kind: 'escaped' | 'unescaped' | 'empty' | 'delimiters';
  readonly name: string;
  /** Of the whole tag in the text. */
  readonly from: number;
  readonly to: number;
  /** Of what stands between its delimiters. */
  readonly contentFrom: number;
  readonly contentTo: number;
}

interface Delimiters {
  readonly open: string;
  readonly close: string;
}

/** Right behind the opening delimiter: `{{ #a }}` is a name that begins with `#`. */
const marks = '#^<!>%{&$';
const sections = '#^<';
const empties = '!>%';

/**
 * The tags of a JSON text in the dialect of the reference, which is Mustache for PHP over what PHP makes of a configuration. Slashes of
 * such a text are written `\/`: `{{/a}}` is the name `\/a`, no tag can end a section, and one that begins is an error. A tag ends at the
 * next closing delimiter, wherever in the text that is.
 */
export function* tagsOf(text: string): Generator<Tag, void> {
  let delimiters: Delimiters = { open: '{{', close: '}}' };
  let section: string | undefined;
  let at = 0;
  for (;;) {
    const from = text.indexOf(delimiters.open, at);
    if (from === -1) break;
    const start = from + delimiters.open.length;
    const mark = text[start] ?? '';
    if (mark === '=') {
      const { to, changed } = changedDelimiters(text, start + 1, delimiters);
      yield { kind: 'delimiters', name: '', from, to, contentFrom: start + 1, contentTo: to };
      [delimiters, at] = [changed, to];
      continue;
    }
    const contentFrom = marks.includes(mark) ? start + mark.length : start;
    const { name, end, to } = contentOf(text, contentFrom, { ...delimiters, mark });
    if (sections.includes(mark) && mark !== '') section = name;
    yield { kind: kindOf(mark, name), name: mark === '$' ? `$${name}` : name, from, to, contentFrom, contentTo: end };
    at = to;
  }
  if (section !== undefined) throw new VariableError(`Missing closing tag: ${section} opened on line 0`);
}

function kindOf(mark: string, name: string): Tag['kind'] {
  if (name === '.' || (mark !== '' && empties.includes(mark))) return 'empty';
  return mark === '{' || mark === '&' ? 'unescaped' : 'escaped';
}

function contentOf(
  text: string,
  start: number,
  { close, mark }: Delimiters & { readonly mark: string },
): { readonly name: string; readonly end: number; readonly to: number } {
  const end = text.indexOf(close, start);
  if (end === -1)
    throw invalidConfiguration(`the placeholder that begins with {{${text.slice(start, start + 40)} is not closed`);
  const name = trimmed(text.slice(start, end));
  const to = end + close.length;
  if (mark !== '{') return { name, end, to };
  if (close === '}}' && text[to] === '}') return { name, end, to: to + 1 };
  if (close !== '}}' && name.endsWith('}')) return { name: trimmed(name.slice(0, -1)), end, to };
  throw new VariableError(`Mismatched tag delimiters: ${name} on line 0`);
}

function changedDelimiters(
  text: string,
  start: number,
  { close }: Delimiters,
): { readonly changed: Delimiters; readonly to: number } {
  const end = text.indexOf(`=${close}`, start);
  const written = text.slice(start, end === -1 ? start + 40 : end);
  const [open, ctag, ...more] = written.split(' ').filter((word) => word !== '');
  if (end === -1 || open === undefined || ctag === undefined || more.length > 0)
    throw new VariableError(`Invalid delimiters: ${written}`);
  return { changed: { open, close: ctag }, to: end + 1 + close.length };
}

/** Without blanks at its ends; a JSON text has no others as they are. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && text[from] === ' ') from++;
  while (to > from && text[to - 1] === ' ') to--;
  return text.slice(from, to);
}
