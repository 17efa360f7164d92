import { JsonText } from '../../core/json-text.ts';
import type { Reply } from './route.ts';

/** No text of an answer begins so: U+0000 is refused in names, and what configurations hold comes as a `JsonText`. */
const mark = '\u0000json ';

/** An answer of JSON in which each `JsonText` stands for its value, as it was written. */
export function jsonAnswer(status: number, body: unknown): Reply {
  const texts: string[] = [];
  const place = (_: string, value: unknown): unknown => {
    if (!(value instanceof JsonText)) return value;
    texts.push(value.text);
    return `${mark}${texts.length - 1}`;
  };
  const outer = JSON.stringify(body, place, 2);
  const text = outer.replaceAll(/"\\u0000json (\d+)"/g, (whole, at: string) => texts[Number(at)] ?? whole);
  return { kind: 'text', status, contentType: 'application/json', text: `${text}\n` };
}
