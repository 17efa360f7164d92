import type { Step } from './plan.ts';

/** Steps that are taken one after the other. */
export type Lane = readonly Step[];

/**
 * The same steps in groups, one group after the other; the lanes of a group may be taken side by side. Only sinks that are
 * created in one source are: a lane creates a sink and sets its settings. Sinks that fill the same table share a lane, so that
 * it is the first one of the file that makes the table.
 */
export function planLanes(steps: readonly Step[]): readonly (readonly Lane[])[] {
  const groups: Group[] = [];
  for (const step of steps) {
    const group = groups.at(-1);
    const key = laneKeyOf(step, group);
    if (key === undefined) groups.push({ sourceId: undefined, lanes: new Map([['', [step]]]) });
    else if (group !== undefined && group.sourceId === sourceIdOf(step)) add(group, { key, step });
    else groups.push({ sourceId: sourceIdOf(step), lanes: new Map([[key, [step]]]) });
  }
  return groups.map(({ lanes }) => [...lanes.values()]);
}

interface Group {
  /** Of the source whose sinks it creates; undefined: it is one step. */
  readonly sourceId: string | undefined;
  /** By table. */
  readonly lanes: Map<string, Step[]>;
}

/** The lane that a step belongs to, undefined for a step that waits for all before it and lets all after it wait. */
function laneKeyOf(step: Step, group: Group | undefined): string | undefined {
  if (step.kind === 'createSink') return step.sink.tableId;
  if (step.kind !== 'settings') return undefined;
  const { sourceId, sinkId } = step.object;
  const isOfLane = (lane: Lane): boolean =>
    lane.some(({ object }) => 'sourceId' in object && object.sourceId === sourceId && object.sinkId === sinkId);
  return [...(group?.lanes ?? [])].find(([key, lane]) => key !== '' && isOfLane(lane))?.[0];
}

function sourceIdOf({ object }: Step): string | undefined {
  return 'sourceId' in object ? object.sourceId : undefined;
}

function add({ lanes }: Group, { key, step }: { readonly key: string; readonly step: Step }): void {
  const lane = lanes.get(key);
  if (lane === undefined) lanes.set(key, [step]);
  else lane.push(step);
}
