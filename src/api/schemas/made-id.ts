import { parseSinkId, parseSourceId, reservedId, type SinkId, type SourceId } from '../../core/ids.ts';
import { ApiError } from '../errors/api-error.ts';

/** The id of a source to be made: the one given, or one made of its name. */
export function madeSourceId({
  sourceId,
  name,
}: {
  readonly sourceId?: string | undefined;
  readonly name: string;
}): SourceId {
  const id = parseSourceId(sourceId ?? name);
  if (id === reservedId) throw taken('sourceId');
  return id;
}

/** The id of a sink to be made: the one given, or one made of its name. */
export function madeSinkId({ sinkId, name }: { readonly sinkId?: string | undefined; readonly name: string }): SinkId {
  const id = parseSinkId(sinkId ?? name);
  if (id === reservedId) throw taken('sinkId');
  return id;
}

function taken(field: string): ApiError {
  return new ApiError(
    'badRequest',
    `"${field}" must not be "${reservedId}": the list of deleted ones has that path; choose another id`,
  );
}
