import { parentPort, Worker } from 'node:worker_threads';
import { OperatorError } from '../core/errors.ts';

/** A worker thread that answers one message after the other, from both sides. */

type ToThread = { readonly open: unknown } | { readonly ask: unknown } | 'close';
type FromThread =
  | { readonly refused: Pick<OperatorError, 'code' | 'message' | 'why' | 'next'> }
  | { readonly answer: unknown }
  | { readonly fault: string };

export interface Thread<Ready> {
  /** The first thing to ask for: what the thread says when it has opened what it works on. Rejects when it could not. */
  open(data: unknown): Promise<Ready>;
  /** Rejects when the thread could not answer, or is gone. */
  ask(question: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Starts the file of this name beside this one: `.js` when built, `.ts` where Node strips the types. It loads its code while the
 * caller does other things.
 */
export function startThread<Ready>(name: string): Thread<Ready> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./${name}.${extension}`, import.meta.url));
  const waiting: { resolve(answer: unknown): void; reject(error: Error): void }[] = [];
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()));
  let gone: Error | undefined;

  function lose(error: Error): void {
    gone ??= error;
    for (const { reject } of waiting.splice(0)) reject(gone);
  }
  worker.on('error', error => lose(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', code => lose(new Error(`the thread ${name} ended with ${code}`)));
  worker.on('message', (message: FromThread) => {
    const first = waiting.shift();
    if ('answer' in message) first?.resolve(message.answer);
    else if ('fault' in message) first?.reject(new Error(message.fault));
    else first?.reject(new OperatorError(message.refused.code, message.refused.message, message.refused));
  });

  function send(message: ToThread): void {
    worker.postMessage(message);
  }
  function ask(message: ToThread): Promise<unknown> {
    send(message);
    return new Promise((resolve, reject) => {
      if (gone === undefined) waiting.push({ resolve, reject });
      else reject(gone);
    });
  }

  return {
    // What a thread says when it has opened is known to who starts it.
    open: data => ask({ open: data }) as Promise<Ready>,
    ask: question => ask({ ask: question }),
    async close() {
      send('close');
      await ended;
    },
  };
}

export interface ThreadBody {
  readonly ready: unknown;
  answer(question: unknown): unknown;
  close(): void;
}

/** The thread's own side. What `open` throws is what the start ends with. */
export function runThread(
  open: (data: unknown) => ThreadBody,
  refuse: (error: unknown) => OperatorError,
): void {
  const port = parentPort;
  if (port === null) throw new Error('this file is the body of a thread');
  const say = (message: FromThread): void => port.postMessage(message);
  let body: ThreadBody | undefined;
  const opened = (data: unknown): void => {
    try {
      body = open(data);
    } catch (error) {
      const { code, message, why, next } = refuse(error);
      say({ refused: { code, message, why, next } });
      port.close();
      return;
    }
    say({ answer: body.ready });
  };
  port.on('message', (message: ToThread) => {
    if (message === 'close') {
      body?.close();
      port.close();
      return;
    }
    if ('open' in message) {
      opened(message.open);
      return;
    }
    try {
      if (body === undefined) throw new Error('nothing is open yet');
      say({ answer: body.answer(message.ask) });
    } catch (error) {
      say({ fault: error instanceof Error ? error.message : String(error) });
    }
  });
}
