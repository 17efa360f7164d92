/** Names a source, or with `sinkId` a sink, as a person typed it. */
export interface SourceName {
  readonly branch: string;
  readonly sourceId: string;
}

export interface SinkName extends SourceName {
  readonly sinkId: string;
}

export type ObjectName = SourceName | SinkName;

export function isSink(name: ObjectName): name is SinkName {
  return 'sinkId' in name;
}

/** The parameters of the API's paths that name the source. */
export function sourcePath({ branch, sourceId }: SourceName) {
  return { branchId: branch, sourceId };
}

/** The parameters of the API's paths that name the sink. */
export function sinkPath({ sinkId, ...name }: SinkName) {
  return { ...sourcePath(name), sinkId };
}
