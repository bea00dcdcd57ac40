import { parentPort, Worker, workerData } from 'node:worker_threads';
import { OperatorError } from '../core/errors.ts';

/** A worker thread that answers one message after the other, from both sides. */

type ToThread = { readonly ask: unknown } | 'close';
type FromThread =
  | { readonly ready: unknown }
  | { readonly refused: Pick<OperatorError, 'code' | 'message' | 'why' | 'next'> }
  | { readonly answer: unknown }
  | { readonly fault: string };

export interface Thread<Ready> {
  readonly ready: Ready;
  /** Rejects when the thread could not answer, or is gone. */
  ask(question: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts the file of this name beside this one: `.js` when built, `.ts` where Node strips the types. */
export async function startThread<Ready>(name: string, data: unknown): Promise<Thread<Ready>> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./${name}.${extension}`, import.meta.url), { workerData: data });
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
    else if ('ready' in message) first?.resolve(message.ready);
    else first?.reject(new OperatorError(message.refused.code, message.refused.message, message.refused));
  });

  function answer(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (gone === undefined) waiting.push({ resolve, reject });
      else reject(gone);
    });
  }
  function send(message: ToThread): void {
    worker.postMessage(message);
  }

  // What a thread says when it is ready is known to who starts it.
  const ready = (await answer()) as Ready;
  return {
    ready,
    ask(question) {
      send({ ask: question });
      return answer();
    },
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
  let body: ThreadBody;
  try {
    body = open(workerData);
  } catch (error) {
    const { code, message, why, next } = refuse(error);
    say({ refused: { code, message, why, next } });
    port.close();
    return;
  }
  port.on('message', (message: ToThread) => {
    if (message === 'close') {
      body.close();
      port.close();
      return;
    }
    try {
      say({ answer: body.answer(message.ask) });
    } catch (error) {
      say({ fault: error instanceof Error ? error.message : String(error) });
    }
  });
  say({ ready: body.ready });
}
