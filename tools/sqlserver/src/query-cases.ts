/** Rows for the useful queries, and what each query must find of them, in order. */
interface QueryCase {
  readonly file: string;
  /** For each of its results, the column that tells the rows apart and what it holds. */
  readonly results: readonly (readonly [column: string, values: readonly (string | number)[]])[];
  /** The column that is null in rows nobody tries again, and the failed documents among those found that have given up. */
  readonly gaveUp?: readonly [column: string, documents: readonly string[]];
}

const DOCUMENT = '01-0107-0257-5200004';

const TICKET_COLUMNS =
  'BusinessDocId, PhaseCode, Status, AttemptCount, LastError, CreatedAt, UpdatedAt, ReturnStatus, ReturnAttemptCount, ' +
  'ReturnLastAttemptAt, GatewaySendStatus, GatewaySendAttemptCount, GatewaySendLastAttemptAt, CallbackStatus, CallbackReceivedAt';

const at = (hour: number) => `'2026-07-01T${String(hour).padStart(2, '0')}:00:00'`;
const ticket = (values: string) =>
  `INSERT INTO dbo.TB_TICKET_INTERFACE (BusinessEntity, CompanyCode, BranchCode, DestinationCode, ShipmentEvent, ` +
  `FunctionalAckIsRequired, TargetApplicationCode, RawPayloadJson, ${TICKET_COLUMNS}) ` +
  `VALUES ('TCK', '1', '1', '1', 'RCD', 0, 'ASB', '{}', ${values})`;
const finished = `'Sent', 1, ${at(9)}, 'Sent', 1, ${at(9)}, 'Pending', NULL`;

const tickets = [
  `'new', 15, 'Awaiting', 0, NULL, ${at(10)}, ${at(10)}, 'Pending', 0, NULL, 'Pending', 0, NULL, 'Pending', NULL`,
  `'old', 15, 'Awaiting', 4, NULL, ${at(9)}, ${at(9)}, 'Sent', 1, ${at(9)}, 'Sent', 1, ${at(9)}, 'Received', ${at(12)}`,
  `'worn out', 15, 'Awaiting', 5, NULL, ${at(8)}, ${at(8)}, 'Error', 5, ${at(8)}, 'Error', 5, ${at(8)}, 'Success', ${at(13)}`,
  `'failed', 15, 'Error', 2, 'no', ${at(9)}, ${at(11)}, 'Error', 1, ${at(10)}, 'Error', 1, ${at(10)}, 'Error', ${at(14)}`,
  `'failed later', 15, 'Error', 5, 'no', ${at(9)}, ${at(12)}, 'Sending', 1, ${at(9)}, 'Sending', 1, ${at(9)}, 'Pending', NULL`,
  `'recovered', 15, 'Processed', 2, 'no', ${at(9)}, ${at(10)}, ${finished}`,
  `'${DOCUMENT}', 15, 'Processed', 1, NULL, ${at(9)}, ${at(9)}, ${finished}`,
  `'${DOCUMENT}', 6, 'Processed', 1, NULL, ${at(9)}, ${at(9)}, ${finished}`,
].map(ticket);

const outbox = (table: string, columns: string, values: string) =>
  [
    `'waiting', 'Pending', 0, ${at(10)}, ${at(10)}`,
    `'failed', 'Error', 4, ${at(9)}, ${at(11)}`,
    `'refused', 'Error', 1, ${at(11)}, NULL`,
    `'dead', 'Error', 5, ${at(8)}, NULL`,
    `'sending', 'Sending', 1, ${at(7)}, ${at(8)}`,
    `'sent', 'Sent', 1, ${at(6)}, NULL`,
  ].map(
    (row) =>
      `INSERT INTO dbo.${table} (${columns}PayloadJson, TargetUrl, BusinessDocId, Status, AttemptCount, CreatedAt, NextAttemptAt) ` +
      `VALUES (${values}'{}', 'https://gateway.example', ${row})`,
  );

const counterparty = (businessDocId: string, businessEntity: string) =>
  `INSERT INTO dbo.TB_COUNTERPARTIES (BusinessDocId, BusinessEntity, RawPayload) ` +
  `VALUES ('${businessDocId}', '${businessEntity}', '{}')`;
const child = (table: string, column: string, value: string, parent: string) =>
  `INSERT INTO dbo.${table} (CounterpartyIdFk, ${column}) ` +
  `SELECT Id, '${value}' FROM dbo.TB_COUNTERPARTIES WHERE BusinessDocId = '${parent}'`;

const number = (position: number, kind: string, value: number) =>
  `INSERT INTO dbo.TB_NUMBER_LOGS (DocumentTypeId, DocumentTypeName, Number, Year, FormattedNumber, UserId, UserName, UserEmail, ` +
  `GeneratedAt, GeneratedAtLocal, Kind, Position, SearchText, PreviousHash, Hash) ` +
  `VALUES ('type', 'Ofício', ${value}, 2026, '${value}/2026', 'maria', 'Maria', 'maria@example.com', ` +
  `${at(12)}, '2026-07-01T09:00:00-03:00', '${kind}', ${position}, '', '', '')`;

export const QUERY_ROWS: readonly string[] = [
  ...tickets,
  ...outbox('TB_TICKET_RETURN_OUTBOX', 'BusinessEntity, PhaseCode, ', `'TCK', 15, `),
  ...outbox('TB_FUNCTIONAL_ACK_OUTBOX', '', ''),
  counterparty('first', 'TCK'),
  counterparty('elsewhere', 'ABC'),
  counterparty(DOCUMENT, 'TCK'),
  child('TB_COUNTERPARTY_ADDRESSES', 'State', 'SP', DOCUMENT),
  child('TB_COUNTERPARTY_ADDRESSES', 'State', 'RJ', DOCUMENT),
  child('TB_COUNTERPARTY_ADDRESSES', 'State', 'BA', 'first'),
  child('TB_COUNTERPARTY_FISCAL_REFERENCES', 'FiscalNumber', '12345678000195', DOCUMENT),
  child('TB_COUNTERPARTY_FISCAL_REFERENCES', 'FiscalNumber', '52998224725', 'first'),
  `INSERT INTO dbo.TB_DOCUMENT_TYPES (Id, Name, SortOrder) VALUES ('type', 'Ofício', 1)`,
  number(1, 'generated', 1),
  number(2, 'annulled', 1),
  number(3, 'adjusted', 41),
  number(4, 'generated', 42),
  number(5, 'generated', 44),
];

const one = (file: string, values: readonly (string | number)[], column = 'BusinessDocId'): QueryCase => ({
  file,
  results: [[column, values]],
});

export const QUERY_CASES: readonly QueryCase[] = [
  one('tickets-awaiting.sql', ['old', 'new']),
  one('tickets-with-error.sql', ['failed later', 'failed']),
  one('tickets-last-errors.sql', ['failed later', 'failed', 'recovered']),
  one('tickets-returns-pending.sql', ['new', 'failed']),
  {
    ...one('tickets-gateway-sends-pending.sql', ['new', 'failed']),
    gaveUp: ['GatewaySendNextAttemptAt', ['failed']],
  },
  one('tickets-callbacks-received.sql', ['failed', 'worn out', 'old']),
  one('tickets-by-business-doc-id.sql', [6, 15], 'PhaseCode'),
  {
    ...one('ticket-return-outbox-pending.sql', ['failed', 'waiting', 'refused']),
    gaveUp: ['NextAttemptAt', ['refused']],
  },
  {
    ...one('functional-ack-outbox-pending.sql', ['failed', 'waiting', 'refused']),
    gaveUp: ['NextAttemptAt', ['refused']],
  },
  one('numbers-register.sql', ['44/2026', '42/2026', '1/2026'], 'FormattedNumber'),
  one('numbers-missing.sql', ['44/2026'], 'FormattedNumber'),
  one('counterparty-by-business-doc-id.sql', [DOCUMENT]),
  one('counterparties-page.sql', ['first', DOCUMENT]),
  {
    file: 'counterparty-with-addresses-and-fiscal-references.sql',
    results: [
      ['BusinessDocId', [DOCUMENT]],
      ['State', ['SP', 'RJ']],
      ['FiscalNumber', ['12345678000195']],
    ],
  },
];
