import { LaneStore } from '@malote/lanes';
import { applyScripts, Database, readScripts, SCHEMA_VERSION } from '@malote/persistence';
import { leaseEmptyDatabase, type LeasedDatabase, SCRIPTS_FOLDER } from '@malote/persistence/testing';
import { gatewaySend } from '@malote/tickets';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runSchemaCommand } from './schema-command.ts';

const testDatabaseUrl = process.env.TEST_DATABASE_URL ?? '';
const scripts = readScripts(SCRIPTS_FOLDER);
const specification = scripts.filter(({ version }) => version <= 2);

const ticket = (id: string, state: string, phaseCode = 15) =>
  `INSERT INTO dbo.TB_TICKET_INTERFACE (BusinessEntity, BusinessDocId, CompanyCode, BranchCode, DestinationCode, ` +
  `PhaseCode, ShipmentEvent, FunctionalAckIsRequired, TargetApplicationCode, RawPayloadJson, ` +
  `Status, AttemptCount, GatewaySendStatus, GatewaySendAttemptCount, CallbackStatus) ` +
  `VALUES ('TCK', '${id}', '1', '1', '1', ${phaseCode}, 'RCD', 0, 'ASB', '{}', ${state})`;
const outbox = (table: string, columns: string, values: string) => (status: string, attempts: number) =>
  `INSERT INTO dbo.${table} (${columns}, PayloadJson, TargetUrl, Status, AttemptCount) ` +
  `VALUES (${values}, '{}', 'https://gateway', '${status}', ${attempts})`;
const ack = outbox('TB_FUNCTIONAL_ACK_OUTBOX', 'BusinessDocId', "'A'");
const ticketReturn = outbox(
  'TB_TICKET_RETURN_OUTBOX',
  'BusinessEntity, BusinessDocId, PhaseCode',
  "'TCK', 'A', 15",
);

// SQL Server only: the embedded database makes its tables from the entities.
(testDatabaseUrl ? describe : describe.skip)('the scripts on SQL Server', () => {
  let leased: LeasedDatabase;
  let database: Database;

  beforeEach(async () => {
    leased = await leaseEmptyDatabase(testDatabaseUrl);
    database = Database.open(leased.databaseUrl, []);
  });

  afterEach(async () => {
    await database.close();
    await leased.release();
  });

  const query = <Row extends object>(sql: string) => database.unitOfWork.read((tx) => tx.query<Row>(sql));
  const run = (statements: readonly string[]) =>
    database.unitOfWork.run(async (tx) => {
      for (const statement of statements) await tx.execute(statement);
    });

  /** `due`, `later` or `never`, by what the row says of itself. */
  const dueness = async (table: string, label: string, column = 'NextAttemptAt') => {
    const rows = await query<{ Label: string; Due: string }>(
      `SELECT ${label} AS [Label], CASE WHEN ${column} IS NULL THEN 'never' ` +
        `WHEN ${column} <= SYSUTCDATETIME() THEN 'due' ` +
        `WHEN ${column} < DATEADD(MINUTE, 6, SYSUTCDATETIME()) THEN 'later' ELSE 'lost' END AS [Due] ` +
        `FROM dbo.${table} ORDER BY Id`,
    );
    return Object.fromEntries(rows.map(({ Label, Due }) => [Label, Due]));
  };

  it('build an empty database, and find nothing to do the second time', async () => {
    await expect(database.checkSchema()).rejects.toMatchObject({ code: 'schema-outdated' });
    const first = await applyScripts(leased.databaseUrl, scripts);
    const second = await applyScripts(leased.databaseUrl, scripts);

    expect(first.map(({ messages }) => messages.length > 0)).toEqual(scripts.map(() => true));
    expect(second.map(({ messages }) => messages)).toEqual(scripts.map(() => []));
    await database.checkSchema();
    expect(
      await query(
        'SELECT Version AS [Version], Script AS [Script] FROM dbo.TB_SCHEMA_HISTORY ORDER BY Version',
      ),
    ).toEqual(scripts.map(({ version, name }) => ({ Version: version, Script: name })));
  });

  // One that is missing would be created here too, but Babelfish then confuses the connections of other specs.
  it('leave a database alone that is there', async () => {
    const said: string[] = [];
    const code = await runSchemaCommand(
      { help: false, dryRun: false, createDatabase: true, databaseUrl: leased.databaseUrl },
      scripts.slice(0, 1),
      { say: (line) => said.push(line), complain: (line) => said.push(line) },
    );
    expect(said).toEqual([
      expect.stringMatching(/^database \S+: nothing to do$/),
      '000_schema_history.sql: created dbo.TB_SCHEMA_HISTORY',
    ]);
    expect(code).toBe(0);
  });

  it('are not ready before the last of them ran', async () => {
    await applyScripts(
      leased.databaseUrl,
      scripts.filter(({ version }) => version < SCHEMA_VERSION),
    );
    await expect(database.checkSchema()).rejects.toMatchObject({ code: 'schema-outdated' });
  });

  it('make what waited in an outbox due, and only that', async () => {
    await applyScripts(leased.databaseUrl, specification);
    const states = [
      ['Pending', 0],
      ['Error', 1],
      ['Error', 5],
      ['Sending', 1],
      ['Sent', 1],
    ] as const;
    await run(
      states.flatMap(([status, attempts]) => [ack(status, attempts), ticketReturn(status, attempts)]),
    );

    await applyScripts(leased.databaseUrl, scripts);

    const label = "Status + ' ' + CAST(AttemptCount AS VARCHAR(10))";
    const expected = {
      'Pending 0': 'due',
      'Error 1': 'due',
      'Error 5': 'never',
      'Sending 1': 'later',
      'Sent 1': 'never',
    };
    expect(await dueness('TB_FUNCTIONAL_ACK_OUTBOX', label)).toEqual(expected);
    expect(await dueness('TB_TICKET_RETURN_OUTBOX', label)).toEqual(expected);
  });

  it('make waiting tickets due in the lane they were waiting in', async () => {
    await applyScripts(leased.databaseUrl, specification);
    await run([
      ticket('received', "'Awaiting', 0, 'Pending', 0, 'Pending'"),
      ticket('processing', "'Processing', 1, 'Pending', 0, 'Pending'"),
      ticket('failed once', "'Error', 1, 'Pending', 0, 'Pending'"),
      ticket('dead', "'Error', 5, 'Pending', 0, 'Pending'"),
      ticket('to send', "'Processed', 1, 'Pending', 0, 'Pending'"),
      ticket('sending', "'Processed', 1, 'Sending', 1, 'Pending'"),
      ticket('not sent yet', "'Processed', 1, 'Error', 4, 'Pending'"),
      ticket('never sent', "'Processed', 1, 'Error', 5, 'Pending'"),
      ticket('sent', "'Processed', 1, 'Sent', 1, 'Pending'"),
      ticket('called back', "'Processed', 1, 'Pending', 0, 'Success'"),
      ticket('weighed, received', "'Awaiting', 0, 'Pending', 0, 'Pending'", 6),
      ticket('weighed, to send', "'Processed', 1, 'Pending', 0, 'Pending'", 6),
    ]);

    await applyScripts(leased.databaseUrl, scripts);

    expect(await dueness('TB_TICKET_INTERFACE', 'BusinessDocId')).toMatchObject({
      received: 'due',
      processing: 'later',
      'failed once': 'due',
      dead: 'never',
      'to send': 'never',
      sent: 'never',
      'weighed, received': 'never',
    });
    expect(await dueness('TB_TICKET_INTERFACE', 'BusinessDocId', 'GatewaySendNextAttemptAt')).toEqual({
      received: 'never',
      processing: 'never',
      'failed once': 'never',
      dead: 'never',
      'to send': 'due',
      sending: 'later',
      'not sent yet': 'due',
      'never sent': 'never',
      sent: 'never',
      'called back': 'never',
      'weighed, received': 'never',
      'weighed, to send': 'never',
    });
  });

  it('leave history alone: the first sweep sends nothing that was called back', async () => {
    await applyScripts(leased.databaseUrl, specification);
    await run([
      ticket('called back', "'Processed', 1, 'Pending', 0, 'Success'"),
      ticket('refused', "'Processed', 1, 'Pending', 0, 'Error'"),
      ticket('received', "'Processed', 1, 'Pending', 0, 'Received'"),
      ticket('to send', "'Processed', 1, 'Pending', 0, 'Pending'"),
      ticket('to send', "'Processed', 1, 'Pending', 0, 'Pending'", 6),
    ]);
    await applyScripts(leased.databaseUrl, scripts);
    await run(['UPDATE dbo.TB_TICKET_INTERFACE SET GatewaySendNextAttemptAt = NULL']);

    const swept = await new LaneStore(gatewaySend, database.unitOfWork).adopt();

    expect(swept).toEqual({ adopted: 1, next: null });
    const label = "BusinessDocId + ' ' + CAST(PhaseCode AS VARCHAR(10))";
    expect(await dueness('TB_TICKET_INTERFACE', label, 'GatewaySendNextAttemptAt')).toEqual({
      'called back 15': 'never',
      'refused 15': 'never',
      'received 15': 'never',
      'to send 15': 'due',
      'to send 6': 'never',
    });
  });

  it('make due what a service of the specification enqueues after the upgrade', async () => {
    await applyScripts(leased.databaseUrl, scripts);
    await run([ack('Pending', 0), ticket('new', "'Awaiting', 0, 'Pending', 0, 'Pending'")]);

    expect(await dueness('TB_FUNCTIONAL_ACK_OUTBOX', 'Status')).toEqual({ Pending: 'due' });
    // Whether it is ready is for the sweep to say: it may be a phase 6.
    expect(await dueness('TB_TICKET_INTERFACE', 'Status')).toEqual({ Awaiting: 'never' });
    expect(await dueness('TB_TICKET_INTERFACE', 'Status', 'GatewaySendNextAttemptAt')).toEqual({
      Awaiting: 'never',
    });
  });

  it('discard what people had released from its order, and nothing else', async () => {
    await applyScripts(
      leased.databaseUrl,
      scripts.filter(({ version }) => version < 8),
    );
    const action = (lane: string, name: string, ...ids: number[]) =>
      `INSERT INTO dbo.TB_OUTBOX_ACTIONS (Lane, Action, Actor, Reason, Selection, AffectedCount, CreatedAt) VALUES ` +
      `('${lane}', '${name}', 'maria', 'no use', '{"ids":[${ids.map((id) => `"${id}"`).join()}]}', ${ids.length}, '2026-01-02')`;
    const die = (table: string) =>
      `UPDATE dbo.${table} SET NextAttemptAt = NULL, OrderKey = NULL WHERE Status = 'Error'`;
    await run([
      ...Array.from({ length: 5 }, () => ack('Error', 5)),
      ack('Pending', 0),
      ...Array.from({ length: 2 }, () => ticketReturn('Error', 5)),
      die('TB_FUNCTIONAL_ACK_OUTBOX'),
      die('TB_TICKET_RETURN_OUTBOX'),
      action('functional-ack', 'release', 1),
      action('functional-ack', 'replay', 2, 3),
      // Released, put back, and dead again: somebody wants it. And the other way round.
      action('functional-ack', 'release', 4),
      action('functional-ack', 'replay', 4),
      action('functional-ack', 'replay', 5),
      action('functional-ack', 'release', 5),
      action('functional-ack', 'release', 6),
      action('ticket-return', 'release', 2),
      `INSERT INTO dbo.TB_OUTBOX_ACTIONS (Lane, Action, Actor, Reason, Selection, AffectedCount) ` +
        `VALUES ('lane:functional-ack', 'pause', 'maria', 'no use', '{"target":"lane:functional-ack"}', 1)`,
    ]);

    await applyScripts(leased.databaseUrl, scripts);

    const discarded = (table: string) =>
      query<{ Id: string; Day: string }>(
        `SELECT CAST(Id AS VARCHAR(20)) AS [Id], CONVERT(VARCHAR(10), DiscardedAt, 23) AS [Day] FROM dbo.${table} ` +
          `WHERE DiscardedAt IS NOT NULL ORDER BY Id`,
      );
    expect(await discarded('TB_FUNCTIONAL_ACK_OUTBOX')).toEqual([
      { Id: '1', Day: '2026-01-02' },
      { Id: '5', Day: '2026-01-02' },
    ]);
    expect(await discarded('TB_TICKET_RETURN_OUTBOX')).toEqual([{ Id: '2', Day: '2026-01-02' }]);
  });

  it('do not back-fill again: a row that has died since stays dead', async () => {
    await applyScripts(leased.databaseUrl, scripts);
    await run([ack('Error', 1), 'UPDATE dbo.TB_FUNCTIONAL_ACK_OUTBOX SET NextAttemptAt = NULL']);
    await applyScripts(leased.databaseUrl, scripts);

    expect(await dueness('TB_FUNCTIONAL_ACK_OUTBOX', 'Status')).toEqual({ Error: 'never' });
  });

  it('refuse what the specification does not know, once', async () => {
    await applyScripts(leased.databaseUrl, scripts);
    await expect(run([ack('Lost', 0)])).rejects.toThrow(/CK_TB_FUNCTIONAL_ACK_OUTBOX_Status/i);

    const keyed = ack('Pending', 0)
      .replace('(BusinessDocId', '(MessageKey, BusinessDocId')
      .replace("('A'", "('K', 'A'");
    await run([keyed, ack('Pending', 0), ack('Pending', 0)]);
    const error: unknown = await run([keyed]).catch((reason: unknown) => reason);
    expect(database.unitOfWork.dialect.isDuplicateKey(error)).toBe(true);
  });

  it('stop at the first error, with the script, the batch and the line', async () => {
    const broken = {
      version: 9,
      name: '009_broken.sql',
      sql: "PRINT 'one'\nGO\n\n\nTHROW 51000, 'not this way', 1;\nGO\n",
    };
    const never = { version: 10, name: '010_never.sql', sql: 'CREATE TABLE dbo.TB_NEVER (Id INT)' };

    await expect(applyScripts(leased.databaseUrl, [broken, never])).rejects.toMatchObject({
      message: '009_broken.sql, batch 2, line 5: not this way',
      details: { messages: ['one'] },
    });
    expect(await query("SELECT OBJECT_ID('dbo.TB_NEVER') AS [Id]")).toEqual([{ Id: null }]);
  });

  it('do not say they were applied when a batch before the last has failed', async () => {
    const [history, , tickets] = scripts;
    const last = tickets?.sql.split(/^GO$/m).at(-2) ?? '';
    const cutShort = { version: 2, name: '002_tickets.sql', sql: last };

    await expect(applyScripts(leased.databaseUrl, [...(history ? [history] : []), cutShort])).rejects.toThrow(
      /incomplete/,
    );
    expect(await query('SELECT Version AS [Version] FROM dbo.TB_SCHEMA_HISTORY')).toEqual([{ Version: 0 }]);
  });

  it('let two deployments at once take turns', async () => {
    const both = await Promise.all([
      applyScripts(leased.databaseUrl, scripts),
      applyScripts(leased.databaseUrl, scripts),
    ]);

    const created = both.map((reports) => reports.flatMap(({ messages }) => messages).length);
    expect(Math.min(...created)).toBe(0);
    expect(Math.max(...created)).toBeGreaterThan(0);
  });
});
