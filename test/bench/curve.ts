import { scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import type { Spread } from './statistics.ts';

/** How something grows with something else: a picture of the page, and its numbers. */
export interface Curve {
  /** Of the file. */
  readonly name: string;
  readonly title: string;
  /** What grows to the right. */
  readonly along: string;
  /** What the lines show, with its unit. */
  readonly shows: string;
  readonly lines: readonly CurveLine[];
}

export interface CurveLine {
  readonly name: string;
  readonly points: readonly { readonly at: number; readonly spread: Spread }[];
}

const size = { width: 720, height: 320, left: 72, right: 150, top: 40, bottom: 44 } as const;
const colours = ['#1f6feb', '#2da44e', '#bf8700', '#cf222e'] as const;

const style = `
text{fill:#57606a;font:11px system-ui,sans-serif}
.title{font-size:13px;fill:#24292f}
.grid{stroke:#57606a;stroke-opacity:.15}
.line{fill:none;stroke-width:1.5}
.spread{stroke-width:1.5;stroke-opacity:.5}
`;

/** The curve as SVG, both axes by powers of ten: what grows in proportion is a straight line upwards. Quartiles are upright strokes. */
export function curvePicture({ name, title, along, shows, lines }: Curve): string {
  const points = lines.flatMap((one) => one.points);
  const [right, bottom] = [size.width - size.right, size.height - size.bottom];
  const x = scaleLog(extent(points.map(({ at }) => at)), [size.left, right]);
  const y = scaleLog(extent(points.flatMap(({ spread: { low, high } }) => [low, high])), [bottom, size.top]).nice();
  const marks = [...new Set(points.map(({ at }) => at))];
  return [
    `<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-labelledby="${name}-title" xmlns="http://www.w3.org/2000/svg">`,
    `<style>${style}</style>`,
    `<rect width="${size.width}" height="${size.height}" fill="#fff"/>`,
    `<title id="${name}-title">${title}</title>`,
    `<text class="title" x="${size.left}" y="18">${title}</text>`,
    `<text x="${size.left}" y="32">${shows}</text>`,
    ...y
      .ticks(5)
      .flatMap((tick) => [
        `<line class="grid" x1="${size.left}" x2="${right}" y1="${short(y(tick))}" y2="${short(y(tick))}"/>`,
        `<text x="${size.left - 6}" y="${short(y(tick) + 4)}" text-anchor="end">${numberText(tick)}</text>`,
      ]),
    ...marks.map((at) => `<text x="${short(x(at))}" y="${bottom + 16}" text-anchor="middle">${numberText(at)}</text>`),
    `<text x="${(size.left + right) / 2}" y="${bottom + 34}" text-anchor="middle">${along}</text>`,
    ...lines.flatMap((one, index) => {
      const colour = colours[index % colours.length] ?? colours[0];
      const path = line<CurveLine['points'][number]>()
        .x(({ at }) => x(at))
        .y(({ spread }) => y(spread.median))
        .digits(1)(one.points);
      const last = one.points.at(-1);
      return [
        `<path class="line" stroke="${colour}" d="${path ?? ''}"/>`,
        ...one.points.map(
          ({ at, spread: { low, high } }) =>
            `<line class="spread" stroke="${colour}" x1="${short(x(at))}" x2="${short(x(at))}" y1="${short(y(low))}" y2="${short(y(high))}"/>`,
        ),
        ...(last === undefined
          ? []
          : [
              `<text x="${right + 8}" y="${short(y(last.spread.median) + 4)}" style="fill:${colour}">${one.name}</text>`,
            ]),
      ];
    }),
    '</svg>',
    '',
  ].join('\n');
}

/** Never a single number, which would have no length on an axis of powers. */
function extent(values: readonly number[]): readonly [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low < high ? [low, high] : [low / 2, high * 2];
}

/** Three digits at most. */
export function numberText(value: number): string {
  const units = [
    [1e6, ' M'],
    [1e3, ' k'],
  ] as const;
  const [divisor, unit] = units.find(([least]) => value >= least) ?? [1, ''];
  return `${Number((value / divisor).toPrecision(3))}${unit}`;
}

function short(number: number): string {
  return String(Math.round(number * 10) / 10);
}
