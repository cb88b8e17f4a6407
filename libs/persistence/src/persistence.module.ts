import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type DataSource } from 'typeorm';
import { Database, type EntityClass } from './database.ts';
import { UnitOfWork } from './unit-of-work.ts';

export interface PersistenceOptions {
  readonly databaseUrl: string;
  readonly entities: readonly EntityClass[];
  /** Whether a unit of work inside another one is told at once; true unless said otherwise. */
  readonly checksNesting?: boolean;
  /** How long the end of the service waits for units of work that are still under way. */
  readonly closeWithinMs?: number;
}

const CLOSE_WITHIN_MS = Symbol('closeWithinMs');

/** Gives a service its `UnitOfWork` and `Database`; the connection is made on first use and closed at shutdown. */
@Global()
@Module({})
export class PersistenceModule implements OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    @Inject(CLOSE_WITHIN_MS) private readonly closeWithinMs: number | undefined,
  ) {}

  static forRoot(options: PersistenceOptions): DynamicModule {
    const database = Database.open(options.databaseUrl, options.entities);
    if (options.checksNesting === false) database.unitOfWork.skipNestingCheck();
    return {
      module: PersistenceModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ ...database.dataSource.options, manualInitialization: true }),
          dataSourceFactory: () => Promise.resolve(withoutHaste(database, options.closeWithinMs)),
        }),
      ],
      providers: [
        { provide: Database, useValue: database },
        { provide: UnitOfWork, useValue: database.unitOfWork },
        { provide: CLOSE_WITHIN_MS, useValue: options.closeWithinMs },
      ],
      exports: [Database, UnitOfWork],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close(this.closeWithinMs);
  }
}

/** At shutdown TypeORM's module is asked before ours, and would close the connection under work that has not ended. */
function withoutHaste(database: Database, closeWithinMs: number | undefined): DataSource {
  const destroy = { value: () => database.close(closeWithinMs) };
  return Object.create(database.dataSource, { destroy }) as DataSource;
}
