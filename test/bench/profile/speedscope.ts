import { fileURLToPath } from 'node:url';

/** What the engine writes, calls and for each sample its leaf: https://chromedevtools.github.io/devtools-protocol/tot/Profiler/ */
export interface CpuProfile {
  readonly nodes: readonly CallNode[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

interface CallNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

export interface ThreadProfile {
  readonly name: string;
  readonly profile: CpuProfile;
}

interface Frame {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * The file of speedscope (https://www.speedscope.app/file-format-schema.json): a sampled profile of each thread, without the time in which
 * it had nothing to do.
 */
export function speedscopeOf(name: string, threads: readonly ThreadProfile[]): object {
  const frames: Frame[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (frame: Frame): number => {
    const key = `${frame.name} ${frame.file ?? ''}:${frame.line ?? ''}`;
    const known = indexes.get(key) ?? frames.push(frame) - 1;
    indexes.set(key, known);
    return known;
  };
  const profiles = threads.map((thread) => {
    const kept = busySamples(thread.profile);
    const weights = kept.map(({ microseconds }) => microseconds);
    return {
      type: 'sampled',
      name: thread.name,
      unit: 'microseconds',
      startValue: 0,
      endValue: weights.reduce((all, one) => all + one, 0),
      samples: kept.map(({ stack }) => stack.map(indexOf)),
      weights,
    };
  });
  return {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name,
    exporter: 'millrace bench',
    shared: { frames },
    profiles,
  };
}

interface Sample {
  /** From the outermost call to the innermost. */
  readonly stack: readonly Frame[];
  readonly microseconds: number;
}

function busySamples({ nodes, samples, timeDeltas }: CpuProfile): readonly Sample[] {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stacks = new Map<number, readonly Frame[]>();
  const stackOf = (id: number | undefined): readonly Frame[] => {
    const node = id === undefined ? undefined : byId.get(id);
    if (id === undefined || node === undefined || node.callFrame.functionName === '(root)') return [];
    const stack = stacks.get(id) ?? [...stackOf(parents.get(id)), frameOf(node)];
    stacks.set(id, stack);
    return stack;
  };
  return samples.flatMap((id, at) => {
    const stack = stackOf(id);
    // A sample lasts until the next one.
    const microseconds = timeDeltas[at + 1] ?? 0;
    return isOfTheThread(stack) && microseconds > 0 ? [{ stack, microseconds }] : [];
  });
}

/** Neither idle nor at work for the profiler. */
function isOfTheThread(stack: readonly Frame[]): boolean {
  return stack.at(-1)?.name !== '(idle)' && !stack.some(({ file }) => file === 'node:inspector');
}

function frameOf({ callFrame: { functionName, url, lineNumber } }: CallNode): Frame {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url === '') return { name };
  const file = url.startsWith('file://') ? fileURLToPath(url).replace(root, '') : url;
  return { name, file, line: lineNumber + 1 };
}

/** The functions in which a thread spent most of its busy time, without what they called. */
export function dearest({ name, profile }: ThreadProfile, count: number): string {
  const samples = busySamples(profile);
  const all = samples.reduce((total, { microseconds }) => total + microseconds, 0);
  const own = new Map<string, number>();
  for (const { stack, microseconds } of samples) {
    const frame = stack.at(-1);
    if (frame === undefined) continue;
    const label = frame.file === undefined ? frame.name : `${frame.name} ${frame.file}:${frame.line}`;
    own.set(label, (own.get(label) ?? 0) + microseconds);
  }
  const lines = [...own]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([label, microseconds]) => `${((microseconds / all) * 100).toFixed(1).padStart(6)} %  ${label}`);
  return [`${name}: busy for ${(all / 1e6).toFixed(2)} s`, ...lines, ''].join('\n');
}
