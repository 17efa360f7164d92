import { reservedHeaders } from '../../core/event.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { SourceTopic } from '../../runtime/product.ts';
import { clusterTopology } from '../cluster-topology.ts';
import type { CommandContext } from '../command-context.ts';
import { waitFor } from '../wait-for.ts';
import { inHalves } from './in-halves.ts';
import type { OutgoingEvent } from './outgoing-event.ts';
import { parseHeaders, type HeaderOptions } from './parse-headers.ts';
import { readSchemaFile } from './schema-file.ts';
import { sentInTheEnd, type Sent, type Try } from './sent.ts';
import { tries, type SendHooks, type Target } from './target.ts';

export interface KafkaTargetOptions extends HeaderOptions {
  readonly branch: string;
  readonly topology?: string;
  readonly schema?: string;
  readonly batch: number;
  readonly retry: boolean;
}

/** The topic of a source in the Kafka of a topology. */
export async function kafkaTarget(
  context: CommandContext,
  sourceId: string,
  options: KafkaTargetOptions,
): Promise<Target> {
  const { terminal, product, signal } = context;
  const headers = recordHeaders(options);
  const topology = clusterTopology(context, { file: options.topology, purpose: 'find Kafka in' });
  const schema = options.schema === undefined ? {} : { schema: await readSchemaFile(options.schema) };
  const opening = product.openSourceTopic({ topology, branch: options.branch, sourceId, ...schema }, signal);
  const topic = await waitFor(terminal, 'Looking at the servers', opening);
  return {
    batchEvents: options.batch,
    unreachable: (reason) => new MillraceError('log.refused', `Sending ended: the topic takes no records: ${reason}.`),
    send: (events, hooks) => appendEvents(events, { topic, headers, signal, doubles: options.retry }, hooks),
    [Symbol.asyncDispose]: () => topic[Symbol.asyncDispose](),
  };
}

function recordHeaders(options: KafkaTargetOptions): readonly string[] {
  const found = Object.entries(parseHeaders(options));
  const reserved = found.find(([name]) => name.toLowerCase().startsWith(reservedHeaders.prefix));
  if (reserved === undefined) return found.flatMap(([name, values]) => values.flatMap((value) => [name, value]));
  const rule = `names that begin with "${reservedHeaders.prefix}" are the product's own`;
  throw new MillraceError('input.invalid', `Header "${reserved[0]}": ${rule}.`);
}

interface Appending {
  readonly topic: SourceTopic;
  readonly headers: readonly string[];
  readonly signal: AbortSignal;
  readonly doubles: boolean;
}

/** Those that do not fit the schema are refused one by one; the others go together. */
async function appendEvents(events: readonly OutgoingEvent[], options: Appending, hooks: SendHooks): Promise<void> {
  const { topic, signal } = options;
  const values = new Map<OutgoingEvent, Uint8Array>();
  for (const event of events) {
    const made = await topic.valueOf(event.body);
    if (made.kind === 'value') values.set(event, made.value);
    else hooks.onSent([event], { kind: 'refused', isTooLarge: false, reason: made.problem });
  }
  const fitting = [...values.keys()];
  if (fitting.length === 0) return;
  const send = (some: readonly OutgoingEvent[]): Promise<Sent> => {
    const records = some.flatMap((event) => values.get(event) ?? []);
    return sentInTheEnd(() => appendOnce(records, options), { tries, signal, onWait: hooks.onWait });
  };
  await inHalves(fitting, send, hooks.onSent);
}

async function appendOnce(records: readonly Uint8Array[], options: Appending): Promise<Try> {
  const { topic, headers, signal, doubles } = options;
  try {
    await topic.append(records, { headers, signal });
    return { sent: { kind: 'accepted' }, mayBeSentAgain: false, retryAfterMs: 0 };
  } catch (thrown) {
    signal.throwIfAborted();
    const sent = failureOf(MillraceError.fromUnknown(thrown));
    const mayBeSentAgain = sent.kind === 'unreachable' || (sent.kind === 'unanswered' && doubles);
    return { sent, mayBeSentAgain, retryAfterMs: 0 };
  }
}

/** What the log promises of a failed append. */
function failureOf({ code, message: reason }: MillraceError): Sent {
  switch (code) {
    case 'log.refused':
      return { kind: 'unreachable', reason };
    case 'log.recordTooLarge':
      return { kind: 'refused', isTooLarge: true, reason };
    case 'log.topicNotFound':
    case 'progress.topicChanged':
      return { kind: 'refused', isTooLarge: false, reason };
    default:
      return { kind: 'unanswered', reason };
  }
}
