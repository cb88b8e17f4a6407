import { Injectable } from '@nestjs/common';

/** Where everything in this service takes the time from, so that a test can say what time it is. */
export abstract class Clock {
  abstract now(): Date;
}

@Injectable()
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
