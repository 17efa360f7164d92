import { z } from 'zod';
import type { SourceKey } from '../../core/ids.ts';
import type { TestedSink } from '../../control/trials/run-test.ts';
import { sentences } from '../../control/errors/sentence.ts';

export const testSchema = z
  .object({
    statusCode: z.int().optional(),
    error: z.string().optional(),
    message: z.string().optional(),
    projectId: z.int(),
    branchId: z.int(),
    sourceId: z.string(),
    tables: z.array(
      z.object({
        sinkId: z.string(),
        tableId: z.string(),
        disabled: z.boolean().optional().meta({ description: 'True for a sink that is disabled.' }),
        rows: z.array(
          z.object({
            columns: z.array(
              z.object({
                name: z.string(),
                value: z.string().optional().meta({ description: 'The text of the cell.' }),
                error: z.string().optional().meta({ description: 'Why the column has no value.' }),
              }),
            ),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'TestResult' });

export type TestView = z.input<typeof testSchema>;

/** What every sink makes of a payload, a row for each event; when a column fails, with the error in front. */
export function testView(tested: readonly TestedSink[], key: SourceKey & { readonly projectId: number }): TestView {
  const failures = tested.flatMap(({ sinkId, rows }) =>
    rows.flatMap((columns, at) => {
      const place = `of sink "${sinkId}"${rows.length === 1 ? '' : ` in event ${at + 1} of ${rows.length}`}`;
      return columns.flatMap((column) =>
        'error' in column ? [`invalid value for column "${column.name}" ${place}: ${column.error}`] : [],
      );
    }),
  );
  const failed = failures.length > 0;
  return {
    ...(failed ? { statusCode: 422, error: 'stream.api.unprocessableContent', message: sentences(failures) } : {}),
    projectId: key.projectId,
    branchId: key.branchId,
    sourceId: key.sourceId,
    tables: tested.map(({ sinkId, tableId, isDisabled, rows }) => ({
      sinkId,
      tableId,
      ...(isDisabled ? { disabled: true } : {}),
      rows: rows.map((columns) => ({ columns: columns.map((column) => ({ ...column })) })),
    })),
  };
}
