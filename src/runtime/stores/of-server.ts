import { isCancellation, MillraceError } from '../../core/millrace-error.ts';

/** What `opening` gives; its failure names the part of the topology in front, as `millrace doctor` does: `catalog (postgres)`. */
export async function ofServer<Opened>(server: string, opening: Promise<Opened>): Promise<Opened> {
  try {
    return await opening;
  } catch (thrown) {
    if (isCancellation(thrown) || !(thrown instanceof MillraceError)) throw thrown;
    const { code, message, details, cause } = thrown;
    throw new MillraceError(code, `${server}: ${message}`, { cause, details });
  }
}
