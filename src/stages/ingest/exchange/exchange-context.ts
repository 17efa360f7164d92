import type { ServerResponse } from 'node:http';
import type { TrustedProxies } from '../../../core/sender-address.ts';
import type { Renewals } from '../../../listener/renewals.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { Acceptor } from '../accept/acceptor.ts';
import type { Intakes } from '../accept/intakes.ts';
import type { Sender } from '../accept/sender.ts';
import type { Cors } from './cors.ts';
import type { Face } from './face.ts';
import type { HttpConfig } from './http-config.ts';
import type { Problem } from './problem.ts';
import type { UnsentAnswers } from './unsent-answers.ts';

/** What the exchanges of one listener share. */
export interface ExchangeContext {
  readonly config: HttpConfig;
  readonly acceptor: Acceptor;
  readonly intakes: Intakes<OpenExchange>;
  readonly faces: readonly Face[];
  /** Of a path that is no face's. */
  readonly routeNotFound: Problem;
  readonly cors: Cors;
  readonly unsent: UnsentAnswers;
  readonly renewals: Renewals;
  readonly proxies: TrustedProxies;
  /** Aborted when the listener has to leave at once. */
  readonly waiting: Waiting;
}

/** A request over HTTP that is being received or stored. */
export interface OpenExchange extends Sender {
  readonly response: ServerResponse;
  /** Answers a request that is still arriving, and ends its connection. */
  cutWith(problem: Problem): void;
}
