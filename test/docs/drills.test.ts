import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { drills } from '../support/drills.ts';
import { readRunbook } from '../support/runbook.ts';

const root = new URL('../../', import.meta.url);
const pages = readdirSync(new URL('docs/runbooks', root)).map((file) => file.replace(/\.md$/, ''));

interface RuleTests {
  readonly tests: readonly {
    readonly promql_expr_test?: readonly {
      readonly expr: string;
      readonly eval_time: string;
      readonly exp_samples: readonly unknown[];
    }[];
  }[];
}

const ruleTests = parse(readFileSync(new URL('docker/prometheus/millrace.rules.test.yml', root), 'utf8')) as RuleTests;

/** Whether one of the tests of the rules sees the alert fire, and silent later. */
function seesBeginningAndEnd(alert: string): boolean {
  return ruleTests.tests.some(({ promql_expr_test: questions = [] }) => {
    const own = questions.filter(({ expr }) => expr.includes(`alertname="${alert}"`));
    const fires = own.findIndex(({ exp_samples: samples }) => samples.length > 0);
    return fires >= 0 && own.slice(fires).some(({ exp_samples: samples }) => samples.length === 0);
  });
}

describe('the drills', () => {
  it('are one for each alert', () => {
    expect(Object.keys(drills).toSorted()).toEqual(pages.toSorted());
  });

  it.each(Object.entries(drills))('%s: is followed where the table says', async (name, { where, seen }) => {
    const text = readFileSync(new URL(where, root), 'utf8');
    expect(text).toMatch(/\bfollow\(/);
    expect(text).toContain(`'${name}'`);
    expect(text.includes('endsLater: true')).toBe(where === drills['clock-doubted']?.where);
    expect(seen === undefined || seesBeginningAndEnd((await readRunbook(name)).alert)).toBe(true);
  });
});
