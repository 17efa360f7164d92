import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Reply } from '../route/route.ts';

/** JSON as people read it: two spaces, a line end. */
export function prettyJson(body: object): string {
  return `${JSON.stringify(body, null, 2)}\n`;
}

/** Writes what a handler answered; a stream that breaks cuts the connection, so that nobody takes a part for the whole. */
export async function sendReply(response: Response, reply: Reply): Promise<void> {
  switch (reply.kind) {
    case 'json':
      response.status(reply.status).set(reply.headers ?? {});
      response.set('Content-Type', 'application/json').end(prettyJson(reply.body));
      return;
    case 'text':
      response.status(reply.status).set(reply.headers ?? {});
      response.set('Content-Type', reply.contentType).end(reply.text);
      return;
    case 'bytes':
      response.status(reply.status ?? 200).set(reply.headers ?? {});
      response.set('Content-Type', reply.contentType).end(reply.bytes);
      return;
    case 'empty':
      response.status(reply.status).end();
      return;
    case 'redirect':
      response.redirect(301, reply.location);
      return;
    case 'stream':
      if (reply.fileName !== undefined) response.attachment(reply.fileName);
      response.status(200).set('Content-Type', reply.contentType);
      await pipeline(reply.content, response);
      return;
    default:
      return reply satisfies never;
  }
}
