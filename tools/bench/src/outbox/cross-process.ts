import { Outbox } from '@malote/lanes';
import { Database, type UnitOfWork, varchar } from '@malote/persistence';
import { TICKET_TABLES } from '@malote/tickets/testing';
import { type BenchOptions } from '../bench.ts';
import { type Figure } from '../figure.ts';
import { lane, LaneFile } from './lane-file.ts';
import { delaysOf, quietFigure } from './quiet-lane.ts';
import { startQuietWorker } from './quiet-worker.ts';
import { Sink } from './sink.ts';

/** From a writer's commit to the arrival at the sink, the worker being another process; beside a loop that glances as often. */
export function crossProcess({ databaseUrl }: BenchOptions): Promise<Figure> {
  return databaseUrl?.startsWith('mssql:')
    ? onServer(databaseUrl)
    : onFiles({ figure: 'outbox.cross-process', aim: '<=50', hearsOfCommits: true });
}

/** The same on SQLite as if it told nobody of commits: what SQL Server's part of the way leaves out. */
export function crossProcessPolled(): Promise<Figure> {
  return onFiles({ figure: 'outbox.cross-process-polled', aim: '<=250', hearsOfCommits: false });
}

interface FilesOptions {
  readonly figure: string;
  readonly aim: string;
  readonly hearsOfCommits: boolean;
}

/** Each worker has a file of its own, and the writer serves both in turn. */
async function onFiles({ hearsOfCommits, ...named }: FilesOptions): Promise<Figure> {
  const sink = await Sink.start();
  const files = { engine: await LaneFile.create(), raw: await LaneFile.create() };
  const start = (file: LaneFile, rawFolder: string | null) =>
    startQuietWorker({ databaseUrl: file.databaseUrl, rawFolder, hearsOfCommits, target: sink.url });
  const workers = [await start(files.engine, null), await start(files.raw, files.raw.folder)];
  try {
    const delays = await delaysOf(
      Object.entries(files).map(([name, { uow }]) => ({ name, uow, outbox: new Outbox() })),
      sink,
    );
    return quietFigure({ ...named, delays: delays.get('engine') ?? [], rawDelays: delays.get('raw') });
  } finally {
    await Promise.all([...workers, sink].map((child) => child.end()));
    await Promise.all(Object.values(files).map((file) => file.remove()));
  }
}

/** On a server that is not ours alone: what was written there is deleted. */
async function onServer(databaseUrl: string): Promise<Figure> {
  const database = Database.open(databaseUrl, TICKET_TABLES);
  await database.checkSchema();
  const uow = database.unitOfWork;
  const sink = await Sink.start();
  const name = `bench-${process.pid}-${Date.now()}`;
  const worker = await startQuietWorker({
    databaseUrl,
    rawFolder: null,
    hearsOfCommits: true,
    target: sink.url,
  });
  try {
    const delays = await delaysOf([{ name, uow, outbox: new Outbox() }], sink);
    return quietFigure({ figure: 'outbox.cross-process', aim: '<=250', delays: delays.get(name) ?? [] });
  } finally {
    await Promise.all([worker, sink].map((child) => child.end()));
    await forget(uow, name, sink);
    await database.close();
  }
}

async function forget(uow: UnitOfWork, name: string, sink: Sink): Promise<void> {
  await uow.run(async (tx) => {
    const own = { prefix: varchar(`${name}-%`, 200) };
    await tx.execute(`DELETE FROM ${tx.dialect.table(lane.table)} WHERE MessageKey LIKE @prefix`, own);
    const { origin } = new URL(sink.url);
    await tx.execute(`DELETE FROM ${tx.dialect.table('TB_OUTBOX_TARGETS')} WHERE Target = @origin`, {
      origin: varchar(origin, 300),
    });
  });
}
