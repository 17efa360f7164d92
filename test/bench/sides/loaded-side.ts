import { rawPost, type HttpLoadResult, type Loader } from '../load/http-load.ts';
import { readProcessorTime, timeBetween, type ProcessorTime } from '../processor-time.ts';

/** A process that takes events over HTTP. */
export interface LoadedSide extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  /** Takes events. */
  readonly url: URL;
}

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  readonly body: Uint8Array;
  /** Bodies that are sent in turns instead, to one address. */
  readonly bodies?: readonly Uint8Array[];
  readonly contentType?: string;
  /** Events in a body. Default: one. */
  readonly eventsPerRequest?: number;
  /** Where to post, in turns; absent: to the one address of the side. */
  readonly urls?: readonly URL[];
  /** Events a second; absent: as many as the side takes. */
  readonly perSecond?: number | undefined;
}

export interface FinishedLoad extends LoadOptions {
  /** Waits for what the side still has to do when all requests are answered; absent: nothing. */
  readonly finish?: () => Promise<void>;
}

/** What a side did under a load, from the first request until nothing of it was left to do. */
export interface Measured {
  readonly events: number;
  /** From the first request to the last answer. */
  readonly acceptedPerSecond: number;
  /** Until what is behind the answers was done, too. */
  readonly perSecond: number;
  /** Processor time of the side's process. */
  readonly used: ProcessorTime;
  /** Of an event. */
  readonly microseconds: number;
  /** Processor time of the loader, share of the side's. */
  readonly loaderShare: number;
  readonly latencyMs: HttpLoadResult['latencyMs'];
}

/** Loads a side and measures it. */
export async function measureSide(
  side: Pick<LoadedSide, 'pid' | 'url'>,
  loader: Loader,
  { finish, ...load }: FinishedLoad,
): Promise<Measured> {
  const { body, contentType = 'application/json', eventsPerRequest = 1, connections, seconds, perSecond } = load;
  const { urls = [side.url], bodies } = load;
  const headers = ['Content-Type', contentType];
  const before = await readProcessorTime(side.pid);
  const began = performance.now();
  const result = await loader.run({
    host: side.url.hostname,
    port: Number(side.url.port),
    requests:
      bodies?.map((each) => rawPost(side.url.pathname, each, headers)) ??
      urls.map(({ pathname }) => rawPost(pathname, body, headers)),
    connections,
    durationMs: seconds * 1000,
    warmUpMs: 0,
    awaitsAll: true,
    perSecond: perSecond === undefined ? undefined : perSecond / eventsPerRequest,
  });
  await finish?.();
  const took = (performance.now() - began) / 1000;
  const used = timeBetween(before, await readProcessorTime(side.pid));
  const events = result.answers * eventsPerRequest;
  const all = used.all.user + used.all.system;
  return {
    events,
    acceptedPerSecond: result.perSecond * eventsPerRequest,
    perSecond: finish === undefined ? result.perSecond * eventsPerRequest : events / took,
    used,
    microseconds: all / events,
    loaderShare: result.loaderMicroseconds / all,
    latencyMs: result.latencyMs,
  };
}

/** Loads a side for half the time before it is measured, so that what it runs is compiled, and finishes that. */
export async function warmUp(side: Pick<LoadedSide, 'pid' | 'url'>, loader: Loader, load: FinishedLoad): Promise<void> {
  await measureSide(side, loader, { ...load, seconds: load.seconds / 2 });
}
