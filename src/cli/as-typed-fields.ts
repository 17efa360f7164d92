import { MillraceError } from '../core/millrace-error.ts';

/** What a person gave each field of a body with: an option, or an argument in words. */
export type TypedFields = Readonly<Record<string, string>>;

/** What `work` gives. Its refusal names the fields as they were typed, not as the body of the API has them. */
export async function asTypedFields<Result>(fields: TypedFields, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (thrown) {
    if (!(thrown instanceof MillraceError) || thrown.code !== 'client.refused') throw thrown;
    const { code, details } = thrown;
    throw new MillraceError(code, inTypedFields(thrown.message, fields), { cause: thrown, details });
  }
}

/** The fields that the API names, as `"tableId"`, `body.tableId` or `Body.tableId`; a name or value that somebody gave is not touched. */
function inTypedFields(message: string, fields: TypedFields): string {
  const named = /(?<=^|Invalid |give a )"(\w+)"|\b[Bb]ody\.(\w+)\b/g;
  return message.replaceAll(
    named,
    (whole, quoted?: string, dotted?: string) => fields[quoted ?? dotted ?? ''] ?? whole,
  );
}
