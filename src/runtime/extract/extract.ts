import { messageOf } from '../../core/millrace-error.ts';
import { runExtraction } from '../../extractor/run-extraction.ts';
import { ExtractorError } from '../../extractor/values/extractor-error.ts';
import type { AskedExtraction, ExtractionEnd } from '../product.ts';
import { hiddenTexts } from './hidden-texts.ts';
import { jsonOf, openRun } from './open-run.ts';
import { SpoolFolder } from './spool-folder.ts';
import { stateFileOf, writeOutput } from './write-output.ts';

/** What `Product.extract` promises. */
export async function extract(
  asked: AskedExtraction & { readonly out: string },
  signal: AbortSignal,
): Promise<ExtractionEnd> {
  return ended(asked, signal, async () => {
    await using spool = new SpoolFolder();
    const run = { ...openRun(asked, spool), onProgress: asked.onProgress };
    const extraction = await runExtraction(run, { signal });
    await writeOutput(extraction, asked.out);
    const tables = extraction.tables.map(({ fileName: file, columns, count: rows }) => ({
      file,
      rows,
      columns: columns.length,
    }));
    return { kind: 'done', tables, stateFile: stateFileOf(asked.out) };
  });
}

/** What the configuration or the API is to blame for is told apart from what this product or its machine is. */
export async function ended<Done>(
  { configuration }: Pick<AskedExtraction, 'configuration'>,
  signal: AbortSignal,
  work: () => Promise<Done>,
): Promise<Done | Exclude<ExtractionEnd, { readonly kind: 'done' }>> {
  try {
    return await work();
  } catch (thrown) {
    signal.throwIfAborted();
    const hide = hiddenTexts(jsonOf(configuration));
    if (thrown instanceof ExtractorError) return { kind: 'refused', message: hide(thrown.message) };
    return { kind: 'broken', message: hide(messageOf(thrown)), cause: thrown };
  }
}
