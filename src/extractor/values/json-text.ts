import { isList, type JsonValue } from './json-value.ts';

/**
 * The compact JSON text that PHP's `json_encode` makes, with 17 digits of a float: limits by volume count its bytes, and what a filter
 * keeps of a response is this text. All of it is ASCII.
 */
export function jsonText(value: JsonValue): string {
  if (isList(value)) return `[${value.map(jsonText).join(',')}]`;
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      return numberText(value);
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? 'null' : `{${fields(value)}}`;
    default:
      return value ? 'true' : 'false';
  }
}

function fields(value: { readonly [key: string]: JsonValue }): string {
  return Object.entries(value)
    .map(([name, field]) => `${quoted(name)}:${jsonText(field)}`)
    .join(',');
}

function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed())
    .replaceAll('/', String.raw`\/`)
    .replaceAll(/[\u007f-\uffff]/g, (unit) =>
      unit === '\u007f' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

/** As C writes `%.17g`: the shortest form of 17 digits, with an exponent beyond them. */
function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const [digits = '', exponent = '0'] = value.toExponential(16).split('e');
  const power = Number(exponent);
  if (power < -4 || power >= 17) {
    const short = digits.replace(/\.?0+$/, '');
    return `${short.includes('.') ? short : `${short}.0`}e${power < 0 ? '-' : '+'}${Math.abs(power)}`;
  }
  const text = value.toFixed(16 - power);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
