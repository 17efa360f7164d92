import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { Pipelines, pipelinedRequests } from './pipelines.ts';

class Connection extends EventEmitter {
  isPaused = false;

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.emit('resume');
  }
}

class Answer extends EventEmitter {
  readonly socket: Connection | null;

  constructor(socket: Connection | null) {
    super();
    this.socket = socket;
  }
}

test('D8: a connection is read again when half of the requests that waited are answered', () => {
  const pipelines = new Pipelines();
  const connection = new Connection();
  const others = new Connection();
  const waiting = Array.from({ length: pipelinedRequests }, () => new Answer(null));
  for (const [at, answer] of waiting.entries()) {
    expect([at, connection.isPaused]).toEqual([at, false]);
    expect(pipelines.enter(connection, answer)).toBe(at + 1);
  }
  expect([connection.isPaused, others.isPaused]).toEqual([true, false]);
  connection.resume();
  expect(connection.isPaused).toBe(true);
  for (const answer of waiting.slice(0, pipelinedRequests / 2)) {
    expect(connection.isPaused).toBe(true);
    answer.emit('close');
  }
  expect(connection.isPaused).toBe(false);
});

test('requests that wait for no other one are not counted', () => {
  const pipelines = new Pipelines();
  const connection = new Connection();
  for (let sent = 0; sent < 3 * pipelinedRequests; sent++) pipelines.enter(connection, new Answer(connection));
  expect(connection.isPaused).toBe(false);
  expect(connection.listenerCount('resume')).toBe(0);
});
