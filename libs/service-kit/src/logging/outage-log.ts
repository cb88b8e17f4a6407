import { UnitOfWork } from '@malote/persistence';
import { Injectable, Optional } from '@nestjs/common';
import { Log } from './log.ts';

/** An outage of the database is two lines. Requests and loops that fail because of it say nothing of their own. */
@Injectable()
export class OutageLog {
  constructor(log: Log, @Optional() uow?: UnitOfWork) {
    uow?.onOutage({
      began: (err) => {
        log.error('The database is away', { err });
      },
      ended: (seconds) => {
        log.info('The database is back', { seconds: Math.round(seconds) });
      },
    });
  }
}
