import { relativeNumber, relativeUnit, unitWords, weekdayOf, weekdayWords } from './time-words.ts';
import { TimeFields } from './time-fields.ts';

type Rule = readonly [pattern: RegExp, take: (fields: TimeFields, match: RegExpExecArray) => void];

const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const words =
  '(next|last|previous|this|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)';

/** Parts of a text that tells a time, https://www.php.net/manual/en/datetime.formats.php; the first that fits is taken. */
const rules: readonly Rule[] = [
  [/^@(-?\d+)(?:\.\d+)?/, (fields, [, seconds]) => fields.setStamp(Number(seconds))],
  [/^(now|today|midnight|noon|tomorrow|yesterday)\b/, (fields, [, word = '']) => fields.setWord(word)],
  [/^(first|last) day of/, (fields, [, which]) => fields.setEdge(which === 'first' ? 'first' : 'last')],
  [
    /^(\d{4})-?w(\d{2})(?:-?([0-7]))?/,
    (fields, [, year, week, day]) => fields.setWeek(int(year), int(week), int(day, 1)),
  ],
  [/^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)t?/, (fields, [, y, m, d]) => fields.setDate(int(y), int(m), int(d))],
  [/^(\d{1,2})\/(\d{1,2})\/(\d{4})/, (fields, [, m, d, y]) => fields.setDate(int(y), int(m), int(d))],
  [/^(\d{1,2})[.-](\d{1,2})[.-](\d{4})/, (fields, [, d, m, y]) => fields.setDate(int(y), int(m), int(d))],
  [/^(\d{4})(\d{2})(\d{2})(?!\d)t?/, (fields, [, y, m, d]) => fields.setDate(int(y), int(m), int(d))],
  [/^(\d{4})-(\d{2})(?![\d-])/, (fields, [, y, m]) => fields.setDate(int(y), int(m), 1)],
  [
    /^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))? ?([ap])\.?m\b\.?/,
    (fields, [, h, i, s, half]) => fields.setTime((int(h) % 12) + (half === 'p' ? 12 : 0), int(i), int(s)),
  ],
  [
    /^t?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?!\d)/,
    (fields, [, h, i, s]) => fields.setTime(int(h), int(i), int(s)),
  ],
  [/^t?(\d{2})(\d{2})(\d{2})(?!\d)/, (fields, [, h, i, s]) => fields.setTime(int(h), int(i), int(s))],
  [
    new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?[ .-]*${month}[ .,-]*(\\d{4})?(?![\\d:])`),
    (fields, [, d, name = '', y]) => fields.setDate(int(y, fields.year), monthOf(name), int(d)),
  ],
  [
    new RegExp(`^(\\d{4})-${month}-(\\d{1,2})`),
    (fields, [, y, name = '', d]) => fields.setDate(int(y), monthOf(name), int(d)),
  ],
  [new RegExp(`^${month}[ .]+(\\d{4})(?!\\d)`), (fields, [, name = '', y]) => fields.setDate(int(y), monthOf(name), 1)],
  [
    new RegExp(`^${month}[ .]*(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,? *(\\d{4})(?![\\d:]))?`),
    (fields, [, name = '', d, y]) => fields.setDate(int(y, fields.year), monthOf(name), int(d)),
  ],
  [new RegExp(`^${month}\\b`), (fields, [, name = '']) => fields.setMonth(monthOf(name))],
  [
    new RegExp(`^([+-]*) *(\\d+) *${unitWords}( ago\\b)?`),
    (fields, [, signs = '', amount, unit = '', ago]) => {
      const isBack = (signs.split('-').length - 1) % 2 === 1;
      fields.add(relativeUnit(unit), int(amount) * (isBack ? -1 : 1) * (ago === undefined ? 1 : -1));
    },
  ],
  [
    new RegExp(`^${words} +${weekdayWords}`),
    (fields, [, word = '', day = '']) => fields.addWeekday(weekdayOf(day), relativeNumber(word)),
  ],
  [
    new RegExp(`^${words} +${unitWords}( ago\\b)?`),
    (fields, [, word = '', unit = '', ago]) =>
      fields.addNamed(relativeUnit(unit), relativeNumber(word) * (ago === undefined ? 1 : -1)),
  ],
  [new RegExp(`^${weekdayWords}`), (fields, [, day = '']) => fields.setWeekday(weekdayOf(day))],
  [/^(?:gmt|utc)?([+-])(\d{1,2}):?(\d{2})?/, (fields, [, sign, h, i]) => fields.setZone(sign, int(h), int(i))],
  [/^(z|utc|gmt)\b/, (fields) => fields.setZone('+', 0, 0)],
  [/^(est|edt|cst|cdt|mst|mdt|pst|pdt|bst|cet|cest|eet|eest)\b/, (fields, [, zone = '']) => fields.setNamedZone(zone)],
];

/**
 * The time that a text tells, in seconds since the epoch; undefined where it tells none. `from` is the time that relative texts
 * count from. All without a zone is UTC.
 */
export function phpTime(text: string, from: number): number | undefined {
  let rest = text.toLowerCase().trim();
  if (rest === '' || rest.length > 200) return undefined;
  const fields = new TimeFields(from);
  while (rest !== '') {
    const found = firstMatch(rest);
    if (found === undefined) return undefined;
    found.take(fields, found.match);
    rest = rest.slice(found.match[0].length).replace(/^[\s,]+/, '');
  }
  return fields.isValid ? fields.seconds() : undefined;
}

function firstMatch(text: string): { readonly match: RegExpExecArray; readonly take: Rule[1] } | undefined {
  for (const [pattern, take] of rules) {
    const match = pattern.exec(text);
    if (match !== null) return { match, take };
  }
  return undefined;
}

function int(text: string | undefined, otherwise = 0): number {
  return text === undefined || text === '' ? otherwise : Number(text);
}

function monthOf(name: string): number {
  return months.indexOf(name.slice(0, 3)) + 1;
}
