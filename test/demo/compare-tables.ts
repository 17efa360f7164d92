import { z } from 'zod';
import { signatureOf, type Delivery } from './github-deliveries.ts';

export type Row = Readonly<Record<string, string>>;

export interface Tables {
  readonly events: readonly Row[];
  readonly raw: readonly Row[];
}

/** Something that must be true, and what speaks against it. */
export interface Finding {
  readonly claim: string;
  readonly against: readonly string[];
}

const headersShape = z.looseObject({ 'X-Github-Delivery': z.string(), 'X-Hub-Signature-256': z.string() });

/** Compares the rows of both tables with the deliveries that were answered with 200. */
export function compareTables(sent: readonly Delivery[], { events, raw }: Tables): readonly Finding[] {
  const rows = new Map<string, Row[]>();
  for (const row of events) rows.set(deliveryIdOf(row), [...(rows.get(deliveryIdOf(row)) ?? []), row]);
  const rawById = new Map(raw.map((row) => [row['id'] ?? '', row]));
  const pairs = sent.flatMap((delivery) => {
    const row = rows.get(delivery.id)?.[0];
    return row === undefined ? [] : [{ delivery, row, body: rawById.get(row['id'] ?? '')?.['body'] }];
  });
  return [
    {
      claim: `each of ${sent.length} deliveries is one row of both tables, under one id`,
      against: [
        ...sent.flatMap(({ id }) => countProblem(id, rows.get(id)?.length ?? 0)),
        ...surplus('events', events.length, sent.length),
        ...surplus('raw', raw.length, sent.length),
        ...surplus('different ids', rawById.size, sent.length),
      ],
    },
    {
      claim: 'every body came back byte for byte',
      against: pairs.flatMap(({ delivery, body }) =>
        body === delivery.body.toString() ? [] : [`delivery ${delivery.id}: the body differs`],
      ),
    },
    {
      claim: "GitHub's signature in the headers still fits the body in the table",
      against: pairs.flatMap(({ delivery, row, body }) =>
        headersOf(row)?.['X-Hub-Signature-256'] === signatureOf(body ?? '')
          ? []
          : [`delivery ${delivery.id}: the signature does not fit`],
      ),
    },
    {
      claim: 'every cell is the field of its payload, empty where there is none, or what its template makes',
      against: pairs.flatMap(({ delivery, row }) => cellProblems(delivery, row)),
    },
  ];
}

/** Fields of a payload by column; empty where the payload does not have them. */
export function expectedFields(payload: unknown): Row {
  const [repository, sender] = [fieldOf(payload, 'repository'), fieldOf(payload, 'sender')];
  return {
    repository: cellOf(fieldOf(repository, 'full_name')),
    action: cellOf(fieldOf(payload, 'action')),
    sender: cellOf(fieldOf(sender, 'login')),
    stars: cellOf(fieldOf(repository, 'stargazers_count')),
  };
}

/** The same and what the template makes of them. */
export function expectedCells(payload: unknown): Row {
  const fields = expectedFields(payload);
  const { action, sender } = fields;
  return { ...fields, summary: `${action === '' ? 'event' : action} by ${sender === '' ? 'nobody' : sender}` };
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined;
}

function cellOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function cellProblems({ id, payload }: Delivery, row: Row): readonly string[] {
  return Object.entries(expectedCells(payload)).flatMap(([column, expected]) =>
    row[column] === expected ? [] : [`delivery ${id}: ${column} is "${row[column]}" but must be "${expected}"`],
  );
}

function countProblem(id: string, count: number): readonly string[] {
  if (count === 1) return [];
  return [count === 0 ? `delivery ${id} is in no row` : `delivery ${id} is in ${count} rows`];
}

function surplus(what: string, count: number, expected: number): readonly string[] {
  return count === expected ? [] : [`${what}: ${count} instead of ${expected}`];
}

function deliveryIdOf(row: Row): string {
  return headersOf(row)?.['X-Github-Delivery'] ?? '';
}

function headersOf(row: Row): z.infer<typeof headersShape> | undefined {
  return headersShape.safeParse(JSON.parse(row['headers'] ?? 'null')).data;
}
