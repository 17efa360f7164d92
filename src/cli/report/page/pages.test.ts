import { HtmlValidate } from 'html-validate';
import { describe, expect, test } from 'vitest';
import type { ReportShape, SampleShape, SinkReportShape } from '../report-client.ts';
import { htmlPage } from './html-page.ts';
import { markdownPage } from './markdown-page.ts';

const begin = Date.UTC(2026, 0, 2);
const minute = 60_000;
const iso = (minutes: number): string => new Date(begin + minutes * minute).toISOString();

function sample(minutes: number, more: Partial<SampleShape> = {}): SampleShape {
  const imported = 1_234_567 + 10 * minutes;
  const numbers = { imported, staged: 3, inFlight: 2, filtered: 0, dead: 1, holes: 0, givenUp: 0, difference: 0 };
  return { at: iso(minutes), accepted: imported + 6, ...numbers, ...more };
}

function sinkOf(sinkId: string, samples: readonly SampleShape[], more: Partial<SinkReportShape> = {}): SinkReportShape {
  const now = { ...sample(60), at: iso(60) };
  return { sinkId, incarnation: 2, deleted: false, ...now, samples: [...samples], gaps: [], ...more };
}

function reportOf(more: Partial<ReportShape> = {}): ReportShape {
  const all = Array.from({ length: 60 }, (_, at) => at).filter((at) => at < 20 || at >= 30);
  const gap = { from: iso(20), to: iso(30) };
  return {
    projectId: 1,
    branchId: 1,
    verdict: 'All 1,235,173 events for 2 sinks of 1 source are accounted for.',
    well: true,
    at: iso(60),
    since: iso(0),
    stepSeconds: 60,
    gaps: [gap],
    clockJumps: [],
    sources: [
      {
        sourceId: 'shop',
        accepted: 1_235_173,
        sinks: [
          sinkOf(
            'orders',
            all.map((at) => sample(at)),
            { gaps: [gap] },
          ),
          sinkOf('mail', [], { accepted: null, inFlight: null, deleted: true }),
        ],
      },
    ],
    ...more,
  };
}

async function faultsOf(html: string): Promise<readonly string[]> {
  const validator = new HtmlValidate({ extends: ['html-validate:recommended', 'html-validate:a11y'] });
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`),
  );
}

describe('N10: the page for an auditor', () => {
  test('is HTML that a validator finds nothing in, without scripts and without anything from elsewhere', async () => {
    const page = htmlPage(reportOf());
    expect(await faultsOf(page)).toEqual([]);
    expect(await faultsOf(page.replace('<h1>', '<h1 id="a b"><p>'))).not.toEqual([]);
    expect(page).not.toMatch(/<script|\bon[a-z]+=|https?:|url\(|@import|src=|href=/);
    expect(page).toContain('prefers-color-scheme:dark');
    expect(page).toContain('@media print');
  });

  test('has every number exactly, of now and of the change in this time', () => {
    for (const page of [htmlPage(reportOf()), markdownPage(reportOf())]) {
      for (const number of ['1,235,167', '1,235,173', '+600', 'not known', '1,234,567']) expect(page).toContain(number);
      expect(page).toContain('50 samples, one a minute, none with anything missing; 10 min without samples');
      expect(page).toContain('shop/mail (deleted, number 2)');
      expect(page).toContain('no sample in this time');
    }
  });

  test('a gap breaks the lines of the chart and is grey, and a number that stays is drawn, too', () => {
    const page = htmlPage(reportOf());
    const [, accepted = ''] = /<path class="accepted" d="([^"]+)"/.exec(page) ?? [];
    expect(accepted.match(/M/g)).toHaveLength(2);
    expect(page.match(/<rect class="gap"/g)).toHaveLength(1);
    const still = sinkOf(
      'still',
      [sample(1), sample(1, { at: iso(2) })].map((one) => ({
        ...one,
        staged: 0,
        inFlight: 0,
        accepted: one.accepted - 5,
      })),
    );
    const drawn = htmlPage(reportOf({ sources: [{ sourceId: 'shop', accepted: 1, sinks: [still] }] }));
    expect(drawn).not.toMatch(/NaN|Infinity/);
    expect(htmlPage(reportOf({ sources: [] }))).not.toMatch(/NaN|Infinity|undefined/);
  });

  test('what is missing stands out, in the verdict, in the numbers and in the chart', async () => {
    const broken = [sample(0), sample(1, { accepted: 1_234_590, difference: 7 }), sample(2)];
    const sinks = [sinkOf('orders', broken, { difference: 7 })];
    const page = htmlPage(reportOf({ well: false, sources: [{ sourceId: 'shop', accepted: 1, sinks }] }));
    expect(await faultsOf(page)).toEqual([]);
    expect(page).toContain('<p class="verdict">');
    expect(page).toContain('<td class="missing">7</td>');
    expect(page.match(/<circle class="different"/g)).toHaveLength(1);
    expect(page).toContain('3 samples, one a minute, 1 with something missing; no gap');
  });

  test('a text from outside is text', async () => {
    const verdict = '<img src=x onerror=alert(1)> & "quoted" \u202e';
    const page = htmlPage(reportOf({ verdict }));
    expect(await faultsOf(page)).toEqual([]);
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot; \\u202e');
    const sinks = [sinkOf('a|b', [])];
    expect(markdownPage(reportOf({ sources: [{ sourceId: 'shop', accepted: 1, sinks }] }))).toContain('| shop/a\\|b |');
  });

  test('a chart in Markdown is an image that brings its colours along', () => {
    const [, image = ''] = /\(data:image\/svg\+xml;base64,([^)]+)\)/.exec(markdownPage(reportOf())) ?? [];
    const svg = Buffer.from(image, 'base64').toString();
    expect(svg).toMatch(/^<svg class="chart" viewBox="0 0 720 220"[^>]* xmlns="http:\/\/www\.w3\.org\/2000\/svg">/);
    expect(svg).toContain('<style>');
    expect(svg).not.toContain('<script');
  });

  test('of many sinks fifty have a chart, those with something missing first, and all have their numbers', () => {
    const sinks = Array.from({ length: 60 }, (_, at) => sinkOf(`sink-${at}`, [sample(1), sample(2)], { inFlight: at }));
    const worst = sinkOf('worst', [sample(1), sample(2, { difference: 1 })]);
    const page = htmlPage(reportOf({ sources: [{ sourceId: 'shop', accepted: 1, sinks: [...sinks, worst] }] }));
    expect(page.match(/<svg /g)).toHaveLength(50);
    expect(page).toContain('11 more sinks have no chart here.');
    expect(page).toMatch(/<h3>shop\/worst<\/h3>\n<p>[^<]*<\/p>\n<svg /);
    for (const { sinkId } of sinks) expect(page).toContain(`<th scope="row">shop/${sinkId}</th>`);
  });
});
