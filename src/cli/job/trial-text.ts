import type { TrialEnd, TrialRequest } from '../../runtime/product.ts';
import { printable } from '../printable.ts';

/** Items that are shown. */
const shownItems = 3;
/** Characters of one. */
const itemWidth = 200;

/** What a configuration asks for first, finds there, and would ask for next. */
export function trialText({ requests, items, next }: Extract<TrialEnd, { readonly kind: 'done' }>): string {
  const more = items.length - shownItems;
  return [
    ...requests.flatMap((request) => requestLines('Asked for:', request)),
    `Found: ${items.length === 1 ? '1 item' : `${items.length} items`}`,
    ...items.slice(0, shownItems).map((item) => `  ${printable(item, itemWidth)}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
    ...(next === undefined ? ['Next: nothing more'] : requestLines('Next:', next)),
  ].join('\n');
}

function requestLines(title: string, { line, headers, body }: TrialRequest): readonly string[] {
  return [
    `${title} ${printable(line)}`,
    ...headers.map((header) => `  ${printable(header)}`),
    ...(body === undefined ? [] : [`  ${printable(body, itemWidth)}`]),
  ];
}
