import { connect } from 'node:net';

/** Bytes as they are over one connection; resolves with all that came back until the other side closed it. */
export function exchangeRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', chunk => (answer += chunk.toString('latin1')));
    socket.once('close', () => resolve(answer));
    socket.once('error', error => (answer === '' ? reject(error) : resolve(answer)));
  });
}

/** Status line, body as text. */
export function parsed(answer: string): { status: number; headers: string; body: string } {
  const end = answer.indexOf('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]),
    headers: answer.slice(0, end).toLowerCase(),
    body: answer.slice(end + 4),
  };
}
