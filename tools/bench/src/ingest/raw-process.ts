import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { answerParent, settingsText } from '@malote/child-process';
import fastify from 'fastify';
import { jwtVerify } from 'jose';
import Libsql from 'libsql';

/** What a person would write for this one route, with nothing around it: the limit of the service. */
const { databaseFile, keyPath, issuer, audience } = JSON.parse(settingsText()) as Record<string, string>;

const connection = new Libsql(databaseFile ?? '');
connection.pragma('busy_timeout = 5000');
connection.pragma('synchronous = FULL');
const insert = connection.prepare(
  `INSERT INTO TB_TICKET_INTERFACE (BusinessEntity, BusinessDocId, PhaseCode, CompanyCode, BranchCode, DestinationCode,
     ShipmentEvent, FunctionalAckIsRequired, TargetApplicationCode, RawPayloadJson, NextAttemptAt)
   VALUES (@businessEntity, @businessDocId, @phaseCode, @companyCode, @branchCode, @destinationCode,
     @shipmentEvent, @functionalAckIsRequired, @targetApplicationCode, @raw, strftime('%Y-%m-%d %H:%M:%f', 'now'))
   ON CONFLICT (BusinessEntity, BusinessDocId, PhaseCode) DO NOTHING RETURNING Id`,
);

type Ticket = Readonly<Record<string, string | number | boolean>>;

interface Waiting {
  readonly ticket: Ticket;
  readonly raw: string;
  readonly resolve: (id: number) => void;
}
let waiting: Waiting[] = [];

/** Requests of one turn of the event loop share a commit. */
function store(ticket: Ticket, raw: string): Promise<number> {
  return new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(commit);
    waiting.push({ ticket, raw, resolve });
  });
}

function commit(): void {
  const batch = waiting;
  waiting = [];
  connection.exec('BEGIN IMMEDIATE');
  const ids = batch.map(({ ticket, raw }) => {
    const { businessEntity, businessDocId, phaseCode, companyCode, branchCode, destinationCode } = ticket;
    const { shipmentEvent, functionalAckIsRequired, targetApplicationCode } = ticket;
    const row = insert.get({
      businessEntity,
      businessDocId,
      phaseCode,
      companyCode,
      branchCode,
      destinationCode,
      shipmentEvent,
      functionalAckIsRequired: functionalAckIsRequired === true ? 1 : 0,
      targetApplicationCode,
      raw,
    });
    return (row as { Id: number }).Id;
  });
  connection.exec('COMMIT');
  batch.forEach(({ resolve }, n) => {
    resolve(ids[n] ?? 0);
  });
}

const key = { type: 'string', minLength: 1, maxLength: 100, pattern: '^[!-~](?:[ -~]*[!-~])?$' };
const code = { type: 'string', minLength: 1, maxLength: 20 };
const body = {
  type: 'object',
  required: [
    'businessEntity',
    'businessDocId',
    'companyCode',
    'branchCode',
    'destinationCode',
    'phaseCode',
    'shipmentEvent',
    'functionalAckIsRequired',
    'targetApplicationCode',
  ],
  properties: {
    businessEntity: key,
    businessDocId: key,
    companyCode: code,
    branchCode: code,
    destinationCode: code,
    phaseCode: { type: 'integer', enum: [15, 6] },
    shipmentEvent: code,
    functionalAckIsRequired: { type: 'boolean' },
    targetApplicationCode: code,
  },
};

const publicKey = createPublicKey(createPrivateKey(readFileSync(keyPath ?? '')));
const verified = new Map<string, number>();

/** A token is verified once and believed until it ends, as the service does. */
async function verify(token: string): Promise<void> {
  if ((verified.get(token) ?? 0) > Date.now()) return;
  const options = { issuer: issuer ?? '', audience: audience ?? '', algorithms: ['ES256'] };
  const { payload } = await jwtVerify(token, publicKey, options);
  if (!String(payload.scope).split(' ').includes('tickets:write')) throw new Error('wrong scope');
  verified.set(token, (payload.exp ?? 0) * 1000);
}

const app = fastify();
const texts = new WeakMap<object, string>();
app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
  texts.set(request, text as string);
  done(null, JSON.parse(text as string));
});
app.post('/api/tickets', { schema: { body } }, async (request) => {
  await verify(request.headers.authorization?.slice('Bearer '.length) ?? '');
  const ticket = request.body as Ticket;
  const id = await store(ticket, texts.get(request) ?? '');
  const { businessEntity, businessDocId, phaseCode } = ticket;
  return { id: String(id), businessEntity, businessDocId, phaseCode, status: 'Awaiting', outcome: 'created' };
});

const url = await app.listen({ port: 0, host: '127.0.0.1' });
answerParent(url, () => null);
