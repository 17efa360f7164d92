import { z } from 'zod';
import { textFault } from '../../mapping/refusals.ts';

/** Text of a file that the API would take: its length counted in characters, as there. */
export function boundedText({ min, max }: { readonly min: number; readonly max: number }) {
  return z.string().superRefine((text, context) => {
    const fault = textFault(text);
    if (fault !== undefined) context.addIssue(`cannot be kept: ${fault}`);
    const length = Array.from(text).length;
    if (length < min) context.addIssue('must not be empty');
    if (length > max) context.addIssue(`has ${length} characters, at most ${max} are allowed`);
  });
}
