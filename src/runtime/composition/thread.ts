import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { OpenSliceState } from '../../core/accounts/open-slice-state.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Service } from '../../core/service.ts';
import { createTemplates } from '../../mapping/jsonnet-templates.ts';
import { MapService } from '../../stages/map/map-service.ts';
import { MappingCache } from '../../stages/map/mapping-cache.ts';
import { SchemaCache } from '../../stages/map/schema-cache.ts';
import { Configuration } from '../../stages/replica/configuration.ts';
import { StageService } from '../../stages/stage/stage-service.ts';
import { StatusBoard } from '../../stages/status/status-board.ts';
import { createTelemetry, type TelemetryOf } from '../../telemetry/create-telemetry.ts';
import type { KnownNames } from '../../telemetry/labels.ts';
import { serviceFailed, type FailedService } from '../../telemetry/process-life.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { unreadDocument } from '../../telemetry/unread-document.ts';
import { Following } from '../following.ts';
import { observeMap } from '../../telemetry/observe-map.ts';
import { observeStage } from '../../telemetry/observe-stage.ts';
import { observeStatus } from '../../telemetry/observe-status.ts';
import { Supervised } from '../supervise.ts';
import { systemClock } from '../system-clock.ts';
import { unique } from '../unique.ts';
import { defaultsOf } from './defaults-of.ts';
import { leaveWhenTold } from './end-thread.ts';
import { freshnessOf } from './freshness-of.ts';
import { Heart } from './heart.ts';
import { observedPorts } from './observed-ports.ts';
import { metricsNow } from './metrics-now.ts';
import { namesOf } from './names-of.ts';
import { withSpans } from './open-spans.ts';
import { openThreadPorts } from './thread-ports.ts';
import type { Decorate, Ports } from './ports.ts';
import { serviceRetry } from '../service-retry.ts';
import type { FromThread, ThreadData, ToThread } from './thread-messages.ts';

interface RoleContext {
  readonly spec: ThreadData;
  readonly localFolder: string;
  readonly maxAppendBytes: number;
  readonly ports: Ports;
  readonly telemetry: Telemetry;
  readonly heart: Heart;
  readonly signal: AbortSignal;
}

interface SinkContext extends RoleContext {
  readonly configuration: Configuration;
}

/** A role's service, and what it tells of open slices. */
interface Role {
  readonly service: Supervised;
  /** Keeps what the service knows fresh; absent: it does so itself. */
  readonly following?: Supervised;
  /** What is to be done when the service has left; it may have failed just then. */
  readonly leave?: () => Promise<void>;
  readonly openSlices: () => readonly OpenSliceState[];
  /** Of a role that has sources and sinks. */
  readonly names?: () => KnownNames;
}

/** The life of a worker thread: one role until it is told to drain. Tests and the bench may give other ports and another telemetry. */
export async function runThread(
  decorate: Decorate = (ports) => ports,
  telemetryOf: TelemetryOf = createTelemetry,
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new MillraceError('internal.bug', 'a role thread needs a parent');
  leaveWhenTold(port);
  const spec = workerData as ThreadData;
  const aborter = new AbortController();
  await using stack = new AsyncDisposableStack();
  const made = telemetryOf({ main: false, level: spec.logLevel, role: spec.role });
  const telemetry = await withSpans(made, spec.traces, stack);
  const say = (message: FromThread): void => port.postMessage(message);
  using heart = new Heart(say);
  const onBroken = ({ code, message }: MillraceError): void => say({ kind: 'broken', code, message });
  const opened = await openThreadPorts(spec, { stack, telemetry, onBroken });
  const joined = spec.role === 'map' ? 'sourceLog' : 'sinkLog';
  const ports = observedPorts(decorate(opened.ports), { telemetry, joined });
  const { localFolder, maxAppendBytes } = opened;
  const context = { spec, localFolder, maxAppendBytes, ports, telemetry, heart, signal: aborter.signal };
  await serve(port, { role: await begin(context), telemetry, say });
  aborter.abort();
}

async function begin(context: RoleContext): Promise<Role> {
  const { spec, ports, telemetry, signal } = context;
  if (spec.role === 'work') return await workRole(context);
  const configuration = new Configuration({
    catalog: ports.catalog,
    onInvalid: unreadDocument(telemetry),
    defaults: defaultsOf(spec),
  });
  await configuration.load({ signal });
  const following = supervise(context, () => new Following(configuration));
  const known = { ...context, configuration };
  const names = (): KnownNames => namesOf(configuration);
  return { ...(spec.role === 'map' ? mapRole(known) : stageRole(known)), following, names };
}

/** Loads what jobs need in a thread that runs them alone. */
async function workRole(context: RoleContext): Promise<Role> {
  const { openWork } = await import('./open-work.ts');
  const { make, leave } = await openWork(context);
  return { service: supervise(context, make), leave, openSlices: () => [] };
}

function supervise({ telemetry, heart, signal }: RoleContext, make: () => Service): Supervised {
  const onFailure = (failure: FailedService): void => {
    serviceFailed(telemetry, failure);
    heart.beat();
  };
  return heart.watch(new Supervised(make, { clock: systemClock, retry: serviceRetry, onFailure, signal }));
}

function statusBoard(role: 'map' | 'stage', { spec, ports, telemetry, configuration }: SinkContext): StatusBoard {
  const observer = observeStatus(telemetry, (incarnation) => configuration.keyOf(incarnation));
  return new StatusBoard({
    catalog: ports.catalog,
    clock: systemClock,
    role,
    member: spec.instance,
    observer,
  });
}

function mapRole(context: SinkContext): Role {
  const { ports, configuration, spec, telemetry, maxAppendBytes } = context;
  const make = (): Service =>
    new MapService({
      ...ports,
      maxAppendBytes,
      configuration,
      schemas: new SchemaCache({ registry: ports.schemaRegistry, clock: systemClock }),
      mappings: new MappingCache(ports.catalog, createTemplates(spec.templates)),
      status: statusBoard('map', context),
      observer: observeMap(telemetry, freshnessOf(configuration, systemClock)),
      spans: telemetry.spans,
      clock: systemClock,
      retry: serviceRetry,
      member: spec.instance,
      pollBytes: 512 * 1024,
      lingerMs: 20,
    });
  return { service: supervise(context, make), openSlices: () => [] };
}

function stageRole(context: SinkContext): Role {
  const { ports, configuration, spec, telemetry, localFolder } = context;
  let current: StageService | undefined;
  const make = (): Service => {
    current = new StageService({
      ...ports,
      configuration,
      folder: localFolder,
      status: statusBoard('stage', context),
      observer: observeStage(telemetry, freshnessOf(configuration, systemClock)),
      spans: telemetry.spans,
      clock: systemClock,
      unique,
      retry: serviceRetry,
      member: spec.instance,
      pollBytes: 1024 * 1024,
    });
    return current;
  };
  return { service: supervise(context, make), openSlices: () => current?.openSlices() ?? [] };
}

interface Served {
  readonly role: Role;
  readonly telemetry: Telemetry;
  readonly say: (message: FromThread) => void;
}

/** Answers the main thread until it asks for the drain; resolves when the role has ended. */
async function serve(port: MessagePort, { role, telemetry, say }: Served): Promise<void> {
  const draining = Promise.withResolvers<void>();
  port.on('message', (message: ToThread) => {
    switch (message.kind) {
      case 'drain':
        draining.resolve();
        break;
      case 'metrics':
        void metricsNow(telemetry, role.names).then((snapshot) => say({ kind: 'metrics', id: message.id, snapshot }));
        break;
      case 'openSlices':
        say({ kind: 'openSlices', id: message.id, slices: role.openSlices() });
        break;
      case 'leave':
        break;
      default:
        message satisfies never;
    }
  });
  say({ kind: 'ready' });
  await draining.promise;
  await role.service.drain();
  await role.leave?.();
  await role.following?.drain();
  port.close();
}
