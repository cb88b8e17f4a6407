import { AppError } from '@malote/app-error';

/** Somebody asked for a step the table does not know from where the row is now. */
export class IllegalTransition extends AppError {
  constructor(
    readonly state: string,
    readonly event: string,
    readonly allowed: readonly string[],
  ) {
    const instead = allowed.length > 0 ? `only ${allowed.join(', ')}` : 'nothing';
    super('conflict', 'illegal-transition', `${state} does not allow ${event}, ${instead}`, {
      details: { state, event, allowed },
    });
    this.name = 'IllegalTransition';
  }
}
