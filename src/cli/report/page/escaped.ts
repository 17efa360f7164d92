import { withoutHiddenText } from '../../without-hidden-text.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML and SVG show it, in an element or an attribute; nothing of it is markup, and nothing of it is hidden. */
export function escaped(text: string): string {
  return withoutHiddenText(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
