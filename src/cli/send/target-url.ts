import { MillraceError } from '../../core/millrace-error.ts';
import type { SourceShape } from '../api-shapes.ts';
import type { AdminClient } from '../client.ts';

/** The URL of the source to send to; without an id the only HTTP source there is. */
export async function targetUrl(client: AdminClient, branch: string, sourceId: string | undefined): Promise<string> {
  const source =
    sourceId === undefined ? await onlySource(client, branch) : await client.getSource({ branch, sourceId });
  if (source.http !== undefined) return source.http.url;
  throw new MillraceError(
    'input.invalid',
    `Source "${source.sourceId}" takes OpenTelemetry, not lines of events: give its URL to an SDK or a Collector as the OTLP endpoint.`,
  );
}

async function onlySource(client: AdminClient, branch: string): Promise<SourceShape> {
  const sources = (await client.listSources(branch)).filter(({ type }) => type === 'http');
  const [first] = sources;
  if (first !== undefined && sources.length === 1) return first;
  const ids = sources.map((source) => source.sourceId).join(', ');
  const reason =
    first === undefined ? 'There is no HTTP source yet.' : `Name one of the sources with --source: ${ids}.`;
  throw new MillraceError('input.invalid', reason);
}
