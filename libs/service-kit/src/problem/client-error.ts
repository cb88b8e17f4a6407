import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problem, PROBLEM_TYPE } from './problem.ts';

const ANSWERS: Readonly<Record<string, readonly [status: number, code: string, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request-timeout', 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'headers-too-large', 'The request headers are too large'],
};

/** Answers what never became a request: the parser refused it, or it came too slowly. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy(error);
    return;
  }
  const [status, code, detail] = ANSWERS[error.code ?? ''] ?? [
    400,
    'malformed-request',
    'The request is not valid HTTP',
  ];
  const body = JSON.stringify(problem(status, code, detail));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      `Content-Type: ${PROBLEM_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
