import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Database, type EntityClass } from './database.ts';
import { UnitOfWork } from './unit-of-work.ts';

export interface PersistenceOptions {
  readonly databaseUrl: string;
  readonly entities: readonly EntityClass[];
  /** Whether a unit of work inside another one is told at once; true unless said otherwise. */
  readonly checksNesting?: boolean;
}

/** Gives a service its `UnitOfWork` and `Database`; the connection is made on first use and closed at shutdown. */
@Global()
@Module({})
export class PersistenceModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  static forRoot(options: PersistenceOptions): DynamicModule {
    const database = Database.open(options.databaseUrl, options.entities);
    if (options.checksNesting === false) database.unitOfWork.skipNestingCheck();
    return {
      module: PersistenceModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ ...database.dataSource.options, manualInitialization: true }),
          dataSourceFactory: () => Promise.resolve(database.dataSource),
        }),
      ],
      providers: [
        { provide: Database, useValue: database },
        { provide: UnitOfWork, useValue: database.unitOfWork },
      ],
      exports: [Database, UnitOfWork],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
