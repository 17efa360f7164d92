import type { ProgressShape } from '../../src/cli/progress-shape.ts';
import type { Finding } from './compare-tables.ts';

export interface Numbers {
  /** How many requests were answered with 200. */
  readonly answered: number;
  /** The conservation numbers of the sinks, after a flush. */
  readonly sinks: readonly ProgressShape[];
}

/** Compares answers and conservation numbers with how many events were sent. */
export function compareNumbers(sent: number, { answered, sinks }: Numbers): readonly Finding[] {
  return [
    {
      claim: `${answered} of ${sent} webhooks were answered with 200`,
      against: expectNumber('answered', answered, sent),
    },
    ...sinks.map(({ sourceId, sinkId, totals }): Finding => {
      const { accepted, imported, difference } = totals;
      return {
        claim: `${sourceId}/${sinkId}: ${accepted} accepted = ${imported} rows, ${difference} missing`,
        against: [
          ...expectNumber('accepted', accepted, sent),
          ...expectNumber('rows', imported, sent),
          ...expectNumber('missing', difference, 0),
        ],
      };
    }),
  ];
}

function expectNumber(name: string, value: number | null, expected: number): readonly string[] {
  return value === expected ? [] : [`${name} is ${value} but must be ${expected}`];
}
