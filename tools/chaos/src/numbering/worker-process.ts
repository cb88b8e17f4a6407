import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { AppError } from '@malote/app-error';
import { endWithParent, settingsText } from '@malote/child-process';
import { DocumentNumbers, NUMBERING_TABLES } from '@malote/numbering';
import { MARIA } from '@malote/numbering/testing';
import { Database } from '@malote/persistence';
import { MortalUnitOfWork } from './mortal-unit-of-work.ts';
import { type Order, type Given, type WorkerSettings } from './workers.ts';
import { timeAt } from './year-turn.ts';

/** A small numbering service whose clock is not quite right. It listens before it has its database, as services do. */
const { databaseUrl, skewMs } = JSON.parse(settingsText()) as WorkerSettings;
endWithParent();
const database = Database.open(databaseUrl, NUMBERING_TABLES);
const die = () => {
  process.kill(process.pid, 'SIGKILL');
};
const uow = new MortalUnitOfWork(database.unitOfWork, die);
const numbers = new DocumentNumbers(uow);

async function give({ wish, midnightAtMs, doom }: Order): Promise<Given> {
  if (typeof doom === 'object') uow.doom(doom.statement);
  const { key: requestKey, documentTypeId, subject } = wish;
  const description = { subject, recipient: null, processNumber: null, notes: null };
  const request = { documentTypeId, user: MARIA, description, requestKey };
  const { entry, outcome } = await numbers.take(request, timeAt(midnightAtMs, skewMs));
  if (doom === 'unanswered') die();
  return { number: entry.number, year: entry.year, outcome };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    response.end(JSON.stringify(await give(JSON.parse(await text(request)) as Order)));
  } catch (error) {
    response.statusCode = error instanceof AppError && error.kind === 'unavailable' ? 503 : 500;
    response.end(String(error));
  }
}

const server = createServer((request, response) => void answer(request, response));
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.((server.address() as AddressInfo).port);
