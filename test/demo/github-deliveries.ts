import { createHmac, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { z } from 'zod';

/** One request that GitHub makes for a webhook. */
export interface Delivery {
  /** What GitHub calls `X-GitHub-Delivery`; no two deliveries have the same. */
  readonly id: string;
  /** The kind of event, such as `pull_request`. */
  readonly event: string;
  readonly payload: unknown;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

const definitions = z.array(z.object({ name: z.string(), examples: z.array(z.looseObject({})) }));

const hookId = '292430182';
const hookSecret = "It's a secret to everybody";

/**
 * The examples of api.github.com as deliveries, the kinds of events mixed: the first example of each kind, then the
 * second of each, and so on.
 */
export function githubDeliveries(): readonly Delivery[] {
  const kinds = definitions.parse(createRequire(import.meta.url)('@octokit/webhooks-examples'));
  const rounds = Math.max(...kinds.map(({ examples }) => examples.length));
  return Array.from({ length: rounds }, (_, round) =>
    kinds.flatMap(({ name, examples }) => examples.slice(round, round + 1).map((payload) => delivery(name, payload))),
  ).flat();
}

/** What GitHub puts into `X-Hub-Signature-256` for this body. */
export function signatureOf(body: Buffer | string): string {
  return `sha256=${createHmac('sha256', hookSecret).update(body).digest('hex')}`;
}

function delivery(event: string, payload: unknown): Delivery {
  const id = randomUUID();
  const body = Buffer.from(JSON.stringify(payload));
  const headers = {
    'User-Agent': ['GitHub-Hookshot/044aadd'],
    Accept: ['*/*'],
    'Content-Type': ['application/json'],
    'X-GitHub-Delivery': [id],
    'X-GitHub-Event': [event],
    'X-GitHub-Hook-ID': [hookId],
    'X-Hub-Signature-256': [signatureOf(body)],
  };
  return { id, event, payload, body, headers };
}
