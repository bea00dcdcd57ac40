import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { conversationsOf, restMs } from '../../src/daemon/conversations.ts';

// Sockets and time are made up here; test/security/slow-clients.test.ts has real ones.

const stallMs = 30_000;
const lookMs = 5000;

class FakeSocket extends EventEmitter {
  bytesRead = 0;
  writableLength = 0;
  destroyed = false;
  readonly limits: number[] = [];

  setTimeout(ms: number): void {
    this.limits.push(ms);
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function oneConnection() {
  const server = new EventEmitter();
  const socket = new FakeSocket();
  // Only what is looked at of a server and its sockets.
  const conversations = conversationsOf(server as never, stallMs);
  const conversation = conversations.of(socket as never);
  const pass = (ms: number) => vi.advanceTimersByTime(ms);
  return { server, socket, conversation, conversations, pass };
}

it('a connection at rest is kept for as long as clients are told, and then let go', () => {
  const { socket, pass } = oneConnection();
  pass(restMs);
  expect(socket.destroyed).toBe(false);
  pass(2 * lookMs);
  expect(socket.destroyed).toBe(true);
});

it('every byte from the client begins its rest anew', () => {
  const { socket, pass } = oneConnection();
  for (let n = 0; n < 5; n += 1) {
    pass(restMs - lookMs);
    socket.bytesRead += 100;
  }
  pass(restMs - lookMs);
  expect(socket.destroyed).toBe(false);
  pass(3 * lookMs);
  expect(socket.destroyed).toBe(true);
});

it('who waits for an answer of ours is not at rest, however long it takes', () => {
  const { socket, conversation, pass } = oneConnection();
  conversation.unanswered = 1;
  pass(10 * restMs);
  expect(socket.destroyed).toBe(false);
  conversation.unanswered = 0;
  pass(restMs);
  expect(socket.destroyed).toBe(false);
  pass(2 * lookMs);
  expect(socket.destroyed).toBe(true);
});

it('an answer that waits gets the time limit of the system, once, and loses it when it was taken', () => {
  const { socket, pass } = oneConnection();
  socket.writableLength = 5000;
  pass(3 * lookMs);
  expect(socket.limits).toEqual([stallMs]);
  socket.writableLength = 0;
  pass(3 * lookMs);
  expect(socket.limits).toEqual([stallMs, 0]);
});

it('the time limit ends a connection only while something waits', () => {
  const { server, socket, conversations } = oneConnection();
  server.emit('timeout', socket);
  expect(socket.destroyed).toBe(false);
  const before = conversations.of(socket as never);
  socket.writableLength = 1;
  server.emit('timeout', socket);
  expect(socket.destroyed).toBe(true);
  // Gone is gone: nothing is kept of a connection that ended.
  expect(conversations.of(socket as never)).not.toBe(before);
});

it('a closed server looks no more', () => {
  const { server, socket, pass } = oneConnection();
  server.emit('close');
  pass(10 * restMs);
  expect(socket.destroyed).toBe(false);
});
