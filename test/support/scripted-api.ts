import type { ExtractorLog } from '../../src/extractor/values/extractor-log.ts';
import { findItems, parseDataField } from '../../src/extractor/items/items.ts';
import { isObject, shown, type JsonObject, type JsonValue } from '../../src/extractor/values/json-value.ts';
import { parsePagination } from '../../src/extractor/pagination/pagination.ts';
import { Pages } from '../../src/extractor/pages.ts';
import { httpRequest } from '../../src/extractor/requests/request.ts';

/** A log that keeps what it is told, as `level: text`. */
export class KeptLog implements ExtractorLog {
  readonly lines: string[] = [];
  readonly debug = (text: string): void => void this.lines.push(`debug: ${text}`);
  readonly info = (text: string): void => void this.lines.push(`info: ${text}`);
  readonly warning = (text: string): void => void this.lines.push(`warning: ${text}`);
}

/** What an API answers: one after the other, or by the address that it is asked for. */
export type Answers = readonly JsonValue[] | ((address: string) => JsonValue);

export interface Scrolled {
  /** The addresses that were asked for, without `http://api/`; of a POST the body behind a blank. */
  readonly asked: readonly string[];
  readonly items: readonly JsonValue[];
  readonly log: readonly string[];
}

/** Answers at times of a script. */
export interface Script {
  readonly answers: Answers;
  readonly now?: () => number;
  readonly monotonic?: () => number;
}

/** Runs a job to its end against answers of a script. A request that the script has no answer for is an error. */
export async function scroll(
  pagination: JsonValue | undefined,
  job: JsonObject,
  script: Answers | Script,
): Promise<Scrolled> {
  const { answers, now = () => 0, monotonic = () => 0 } = 'answers' in script ? script : { answers: script };
  const { endpoint = 'users', method, params = {}, headers = {}, scroller } = job;
  const dataField = parseDataField(job['dataField']);
  const log = new KeptLog();
  const asked: string[] = [];
  const items: JsonValue[] = [];
  const pages = new Pages({
    jobId: 'job',
    job: {
      endpoint: shown(endpoint),
      method,
      params: isObject(params) ? params : {},
      headers: isObject(headers) ? headers : {},
    },
    pagination: parsePagination(pagination, { now, monotonic })(scroller),
    log,
    ask: async (request) => {
      const { url, body } = httpRequest(request, 'http://api/');
      const address = url.slice('http://api/'.length);
      const answer = typeof answers === 'function' ? answers(address) : answers[asked.length];
      asked.push(body === undefined ? address : `${address} ${body}`);
      if (answer === undefined) throw new Error(`nobody expected ${asked.join(', ')}`);
      return { response: answer, depth: 1, body: Buffer.alloc(0) };
    },
    itemsOf: (response) => findItems(response, { endpoint: shown(endpoint), dataField }, log),
  });
  for (let page = await pages.next(); page !== undefined; page = await pages.next()) items.push(...page.items);
  return { asked, items, log: log.lines };
}
