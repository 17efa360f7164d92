import { z } from 'zod';
import { parseJsonText } from '../../core/parse-json-text.ts';

/** What an answer without success says of the events (D1). */
export interface ReadRefusal {
  readonly reason: string;
  /** False when certainly nothing of the request was stored. */
  readonly mayBeStored: boolean;
}

const stored = z.enum(['no', 'maybe']).optional().catch('maybe');
const bodyShape = z.object({
  error: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  stored,
  /** When the URL names several sources: of each its own. */
  sources: z
    .array(z.object({ statusCode: z.number(), stored }))
    .optional()
    .catch(undefined),
});
type Body = z.infer<typeof bodyShape>;

const longestReasonCharacters = 300;

/**
 * Reads an answer whose status is not of success. A server error that is not of Millrace, or does not say, is unclear: a
 * proxy answers so when the answer behind it was lost.
 */
export function readRefusal(status: number, text: string): ReadRefusal {
  const body = parse(text);
  const reason = body?.message ?? text.slice(0, longestReasonCharacters).trim();
  return { reason, mayBeStored: mayBeStored(status, body) };
}

function mayBeStored(status: number, body: Body | undefined): boolean {
  if (body?.sources !== undefined)
    return body.sources.some((source) => source.statusCode < 300 || source.stored === 'maybe');
  if (body?.stored !== undefined) return body.stored === 'maybe';
  const isOurs = body?.error?.startsWith('stream.in.') === true;
  return !isOurs && (status === 408 || status >= 500);
}

function parse(text: string): Body | undefined {
  try {
    return bodyShape.safeParse(parseJsonText(text)).data;
  } catch {
    // A proxy's page or plain text: shown as it is.
    return undefined;
  }
}
