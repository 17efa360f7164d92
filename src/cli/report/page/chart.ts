import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, line } from 'd3-shape';
import type { SinkReportShape } from '../report-client.ts';
import { numberText } from '../report-facts.ts';
import { escaped } from './escaped.ts';

/** What a chart shows of a time. */
export interface ChartSpec {
  readonly title: string;
  readonly sink: SinkReportShape;
  /** ISO 8601. */
  readonly from: string;
  readonly to: string;
  /** Unique on its page. */
  readonly id: string;
  /** True for an image of its own, which brings its colours along. */
  readonly alone: boolean;
}

const size = { width: 720, height: 220, left: 84, right: 12, top: 12, bottom: 28 } as const;
const dayMs = 86_400_000;

interface Point {
  readonly at: number;
  readonly accepted: number;
  /** Accepted, and not on its way any more: in a table, or accounted for. */
  readonly settled: number;
}

/** Colours of the chart on paper and on a dark screen: of the page, or of an image of its own. */
export const chartStyle = `
.chart text{fill:currentColor;font:11px system-ui,sans-serif}
.chart .grid{stroke:currentColor;stroke-opacity:.15}
.chart .accepted{fill:none;stroke:#1f6feb;stroke-width:1.5}
.chart .settled{fill:none;stroke:#2da44e;stroke-width:1.5}
.chart .waiting{fill:#bf8700;fill-opacity:.3}
.chart .gap{fill:currentColor;fill-opacity:.12}
.chart .different{fill:#cf222e}
`;

/**
 * A chart as SVG without scripts: what was accepted, what of it has settled, and between them what is on its way. Where no sample was
 * taken the lines end, and the time is grey. A sample with a difference is a dot.
 */
export function chart({ title, sink, from, to, id, alone }: ChartSpec): string {
  const points = sink.samples.map(({ at, accepted, staged, inFlight, difference }): Point => ({
    at: Date.parse(at),
    accepted,
    settled: accepted - staged - inFlight - difference,
  }));
  const gaps = sink.gaps.map((gap) => ({ from: Date.parse(gap.from), to: Date.parse(gap.to) }));
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const x = scaleUtc([begin, end], [size.left, size.width - size.right]);
  const y = scaleLinear(extent(points), [size.height - size.bottom, size.top]).nice();
  const broken = withBreaks(points, gaps);
  const path = (of: 'accepted' | 'settled'): string =>
    line<Point | undefined>()
      .defined((point) => point !== undefined)
      .x((point) => x(point?.at ?? 0))
      .y((point) => y(point?.[of] ?? 0))
      .digits(1)(broken) ?? '';
  const between =
    area<Point | undefined>()
      .defined((point) => point !== undefined)
      .x((point) => x(point?.at ?? 0))
      .y0((point) => y(point?.settled ?? 0))
      .y1((point) => y(point?.accepted ?? 0))
      .digits(1)(broken) ?? '';
  const whole = y.ticks(5).filter(Number.isInteger);
  return [
    `<svg class="chart" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-labelledby="${id}-title"${alone ? ' xmlns="http://www.w3.org/2000/svg"' : ''}>`,
    `<title id="${id}-title">${escaped(title)}</title>`,
    ...(alone ? [`<style>.chart{color:#57606a;background:#fff}${chartStyle}</style>`] : []),
    ...gaps.map((gap) => {
      const [left, right] = [x(Math.max(gap.from, begin)), x(Math.min(gap.to, end))];
      return `<rect class="gap" x="${short(left)}" y="${size.top}" width="${short(Math.max(1, right - left))}" height="${size.height - size.top - size.bottom}"/>`;
    }),
    ...whole.map(
      (tick) =>
        `<line class="grid" x1="${size.left}" x2="${size.width - size.right}" y1="${short(y(tick))}" y2="${short(y(tick))}"/>` +
        `<text x="${size.left - 6}" y="${short(y(tick) + 4)}" text-anchor="end">${numberText(tick)}</text>`,
    ),
    ...x
      .ticks(6)
      .map(
        (tick) =>
          `<text x="${short(x(tick))}" y="${size.height - 8}" text-anchor="middle">${timeText(tick, end - begin)}</text>`,
      ),
    `<path class="waiting" d="${between}"/>`,
    `<path class="accepted" d="${path('accepted')}"/>`,
    `<path class="settled" d="${path('settled')}"/>`,
    ...sink.samples
      .filter(({ difference }) => difference !== 0)
      .map((sample) => {
        const [at, missing] = [Date.parse(sample.at), numberText(sample.difference)];
        return `<circle class="different" cx="${short(x(at))}" cy="${short(y(sample.accepted))}" r="3"><title>${escaped(sample.at)}: ${missing} missing</title></circle>`;
      }),
    '</svg>',
  ].join('\n');
}

/** Of all numbers; never a single one, which would have no height. */
function extent(points: readonly Point[]): readonly [number, number] {
  const low = points.reduce((least, { settled, accepted }) => Math.min(least, settled, accepted), Infinity);
  const high = points.reduce((most, { settled, accepted }) => Math.max(most, settled, accepted), -Infinity);
  if (points.length === 0) return [0, 1];
  return low < high ? [low, high] : [Math.max(0, low - 1), high + 1];
}

/** Undefined between two points where a gap begins, so that no line bridges it. */
function withBreaks(points: readonly Point[], gaps: readonly { readonly from: number }[]): (Point | undefined)[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    const isBroken = before !== undefined && gaps.some(({ from }) => from > before.at && from <= point.at);
    return isBroken ? [undefined, point] : [point];
  });
}

function timeText(at: Date, rangeMs: number): string {
  const text = at.toISOString();
  return rangeMs > 2 * dayMs ? text.slice(5, 10) : text.slice(11, 16);
}

function short(number: number): string {
  return String(Math.round(number * 10) / 10);
}
