import { type Lane, LaneRunner } from '@malote/lanes';
import { UnitOfWork } from '@malote/persistence';
import { type DynamicModule, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { ActionsController } from './actions.controller.ts';
import { DeadMessagesController } from './dead-messages.controller.ts';
import { LanesController } from './lanes.controller.ts';
import { MessagesController } from './messages.controller.ts';
import { MessagesRepository } from './messages.repository.ts';
import { addressOrigin, OPERATED_LANES, OperatedLanes, type TargetOrigin } from './operated-lanes.ts';
import { TargetsController } from './targets.controller.ts';
import { TargetsService } from './targets.service.ts';

export interface OperationsOptions {
  /** For lanes whose target is no address; by default the origin of the address. */
  readonly originOf?: TargetOrigin;
}

/** What people may see of the lanes and do to them. Needs `PersistenceModule` and `LanesModule`. */
@Module({})
export class OperationsModule implements OnApplicationBootstrap {
  constructor(
    private readonly runner: LaneRunner,
    private readonly operated: OperatedLanes,
  ) {}

  /** Throws for a lane that is worked off here and that nobody could look into. */
  onApplicationBootstrap(): void {
    for (const { name } of this.runner.lanes) this.operated.get(name);
  }

  static forLanes(
    lanes: readonly Lane[],
    { originOf = addressOrigin }: OperationsOptions = {},
  ): DynamicModule {
    return {
      module: OperationsModule,
      // The trace asks what holds up the lanes.
      global: true,
      exports: [OperatedLanes],
      controllers: [
        LanesController,
        MessagesController,
        DeadMessagesController,
        TargetsController,
        ActionsController,
      ],
      providers: [
        { provide: OPERATED_LANES, useValue: lanes },
        {
          provide: OperatedLanes,
          useFactory: (operated: readonly Lane[], uow: UnitOfWork) =>
            new OperatedLanes(operated, uow, originOf),
          inject: [OPERATED_LANES, UnitOfWork],
        },
        MessagesRepository,
        TargetsService,
      ],
    };
  }
}
