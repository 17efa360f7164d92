import { parentPort, workerData } from 'node:worker_threads';
import type { OpenSliceState } from '../../core/accounts/open-slice-state.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Service } from '../../core/service.ts';
import { Configuration } from '../../stages/replica/configuration.ts';
import { Definitions } from '../../stages/replica/definitions.ts';
import { createTelemetry, type TelemetryOf } from '../../telemetry/create-telemetry.ts';
import type { KnownNames } from '../../telemetry/labels.ts';
import { serviceFailed, type FailedService } from '../../telemetry/process-life.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { unreadDocument } from '../../telemetry/unread-document.ts';
import { Following } from '../following.ts';
import { Supervised } from '../supervise.ts';
import { systemClock } from '../system-clock.ts';
import { defaultsOf } from './defaults-of.ts';
import { leaveWhenFailed, leaveWhenTold } from './end-thread.ts';
import { Heart } from './heart.ts';
import { observedPorts } from './observed-ports.ts';
import { metricsNow } from './metrics-now.ts';
import { namesOf } from './names-of.ts';
import { withSpans } from './open-spans.ts';
import { openThreadPorts } from './thread-ports.ts';
import type { Decorate, Ports } from './ports.ts';
import { serviceRetry } from '../service-retry.ts';
import { Mailbox } from './mailbox.ts';
import type { OpenedIngest } from './open-ingest.ts';
import type { SinkContext } from './sink-context.ts';
import { noHindrances } from './source-hindrances.ts';
import type { FromThread, ThreadData } from './thread-messages.ts';

interface RoleContext {
  readonly spec: ThreadData;
  readonly localFolder: string;
  readonly maxAppendBytes: number;
  readonly ports: Ports;
  readonly telemetry: Telemetry;
  readonly heart: Heart;
  readonly signal: AbortSignal;
}

/** A role's services, and what they tell. */
interface Role {
  readonly services: readonly Supervised[];
  /** Keeps what the service knows fresh; absent: it does so itself. */
  readonly following?: Supervised;
  /** What is to be done when the service has left; it may have failed just then. */
  readonly leave?: () => Promise<void>;
  readonly openSlices: () => readonly OpenSliceState[];
  /** Of a role that has sources and sinks. */
  readonly names?: () => KnownNames;
  readonly ingest?: Pick<OpenedIngest, 'places' | 'hinder' | 'sendersRefused' | 'sendersServed' | 'renew'>;
}

/** The life of a worker thread: one role until it is told to drain. Tests and the bench may give other ports and another telemetry. */
export async function runThread(
  decorate: Decorate = (ports) => ports,
  telemetryOf: TelemetryOf = createTelemetry,
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new MillraceError('internal.bug', 'a role thread needs a parent');
  leaveWhenTold(port);
  using mailbox = new Mailbox(port);
  const spec = workerData as ThreadData;
  const aborter = new AbortController();
  await using stack = new AsyncDisposableStack();
  const made = telemetryOf({ main: false, level: spec.logLevel, role: spec.thread });
  const telemetry = await withSpans(made, spec.traces, stack);
  const say = (message: FromThread): void => port.postMessage(message);
  using heart = new Heart(say);
  const onBroken = ({ code, message }: MillraceError): void => say({ kind: 'broken', code, message });
  const opened = await openThreadPorts(spec, { stack, telemetry, onBroken });
  const joined = joinedLog[spec.role];
  const ports = observedPorts(decorate(opened.ports), { telemetry, joined });
  const { localFolder, maxAppendBytes } = opened;
  const context = { spec, localFolder, maxAppendBytes, ports, telemetry, heart, signal: aborter.signal };
  const role = await begin(context);
  leaveWhenFailed(port);
  await serve(mailbox, { role, telemetry, say });
  port.close();
  aborter.abort();
}

/** The log whose groups a role joins. */
const joinedLog = { ingest: undefined, map: 'sourceLog', stage: 'sinkLog', work: 'sinkLog' } as const;

async function begin(context: RoleContext): Promise<Role> {
  const { spec, ports, telemetry, signal } = context;
  if (spec.role === 'work') return await workRole(context);
  const options = { catalog: ports.catalog, onInvalid: unreadDocument(telemetry), defaults: defaultsOf(spec) };
  if (spec.role === 'ingest') return await ingestRole(context, new Definitions(options));
  const configuration = new Configuration(options);
  await configuration.load({ signal });
  const following = supervise(context, () => new Following(configuration));
  const known = { ...context, configuration };
  const names = (): KnownNames => namesOf(configuration);
  return { ...(await (spec.role === 'map' ? mapRole(known) : stageRole(known))), following, names };
}

/** Loads what takes events in a thread that does. */
async function ingestRole(context: RoleContext, definitions: Definitions): Promise<Role> {
  const { spec, signal } = context;
  const { ingest, hindrances = noHindrances, known } = spec;
  if (ingest === undefined)
    throw new MillraceError('internal.bug', 'a thread of the role ingest is told where to listen');
  const { openIngest } = await import('./open-ingest.ts');
  if (known === undefined) await definitions.load({ signal });
  else definitions.begin(known);
  const supervised = <Kind extends Service>(make: () => Kind): Supervised<Kind> => supervise(context, make);
  // While the catalog is away, ingest goes on with what it knows: its processes must not all leave the load balancer at once.
  const goesOn = spec.platform.kind === 'cluster';
  const following = (goesOn ? superviseQuietly : supervise)(context, () => new Following(definitions));
  const { services, ...told } = await openIngest({
    ...context,
    spec: ingest,
    hindrances,
    definitions,
    supervise: supervised,
  });
  return { services, following, openSlices: () => [], names: () => namesOf(definitions), ingest: told };
}

/** Loads what jobs need in a thread that runs them alone. */
async function workRole(context: RoleContext): Promise<Role> {
  const { openWork } = await import('./open-work.ts');
  const { make, leave } = await openWork(context);
  return { services: [supervise(context, make)], leave, openSlices: () => [] };
}

/** Its failures keep the process from being ready. */
function supervise<Kind extends Service>(context: RoleContext, make: () => Kind): Supervised<Kind> {
  return context.heart.watch(superviseQuietly(context, make));
}

function superviseQuietly<Kind extends Service>(
  { telemetry, heart, signal }: RoleContext,
  make: () => Kind,
): Supervised<Kind> {
  const onFailure = (failure: FailedService): void => {
    serviceFailed(telemetry, failure);
    heart.beat();
  };
  return new Supervised(make, { clock: systemClock, retry: serviceRetry, onFailure, signal });
}

/** Loads what maps events in a thread that does. */
async function mapRole(context: RoleContext & SinkContext): Promise<Role> {
  const { openMap } = await import('./open-map.ts');
  return { services: [supervise(context, openMap(context))], openSlices: () => [] };
}

/** Loads what stages records in a thread that does. */
async function stageRole(context: RoleContext & SinkContext): Promise<Role> {
  const { openStage } = await import('./open-stage.ts');
  const { make, openSlices } = openStage(context);
  return { services: [supervise(context, make)], openSlices };
}

interface Served {
  readonly role: Role;
  readonly telemetry: Telemetry;
  readonly say: (message: FromThread) => void;
}

/** Answers the main thread until it asks for the drain; resolves when the role has ended. */
async function serve(mailbox: Mailbox, { role, telemetry, say }: Served): Promise<void> {
  const draining = Promise.withResolvers<void>();
  const leaving = new AbortController();
  mailbox.open((message) => {
    switch (message.kind) {
      case 'drain':
        draining.resolve();
        break;
      case 'hinder':
        role.ingest?.hinder(message.hindrances);
        break;
      case 'renew':
        role.ingest?.renew();
        break;
      case 'metrics':
        void metricsNow(telemetry, role.names).then((snapshot) => say({ kind: 'metrics', id: message.id, snapshot }));
        break;
      case 'openSlices':
        say({ kind: 'openSlices', id: message.id, slices: role.openSlices() });
        break;
      case 'sendersRefused':
        void role.ingest?.sendersRefused(message.key, leaving).then(
          () => say({ kind: 'sendersRefused', id: message.id }),
          // The thread has ended, and takes nothing any more.
          () => undefined,
        );
        break;
      case 'sendersServed': {
        const answer = (): void => say({ kind: 'sendersServed', id: message.id });
        void role.ingest?.sendersServed(leaving).then(answer, answer);
        break;
      }
      case 'leave':
        break;
      default:
        message satisfies never;
    }
  });
  say({ kind: 'ready', places: role.ingest?.places });
  await draining.promise;
  await Promise.all(role.services.map((service) => service.drain()));
  await role.leave?.();
  await role.following?.drain();
  leaving.abort();
}
