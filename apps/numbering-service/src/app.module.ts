import { NUMBERING_TABLES } from '@malote/numbering';
import { PersistenceModule } from '@malote/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { AUTH_TABLES } from './auth/auth-tables.ts';
import { AuthModule } from './auth/auth.module.ts';
import { NumbersModule } from './numbers/numbers.module.ts';
import type { NumberingServiceConfig } from './numbering-service.config.ts';
import { PageModule } from './page/page.module.ts';

@Module({})
export class AppModule {
  static register(config: NumberingServiceConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PersistenceModule.forRoot({
          ...config.persistence,
          entities: [...NUMBERING_TABLES, ...AUTH_TABLES],
        }),
        AuthModule,
        NumbersModule,
        PageModule,
      ],
    };
  }
}
