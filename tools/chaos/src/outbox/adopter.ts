import { type LaneStore } from '@malote/lanes';

const PERIOD_MS = 2_000;

/** The sweep of a service. Whatever it finds was left undone by the transaction that should have made it due. */
export class Adopter {
  adopted = 0;
  private readonly timer: NodeJS.Timeout;
  private sweeping = false;

  constructor(private readonly store: LaneStore) {
    // A sweep that fails ends the run: one that never finds anything would prove nothing.
    this.timer = setInterval(() => void this.sweep(), PERIOD_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async sweep(): Promise<void> {
    if (this.sweeping) return;
    this.sweeping = true;
    for (let after: string | null = '0'; after !== null;) {
      const { adopted, next } = await this.store.adopt(after);
      this.adopted += adopted;
      after = next;
    }
    this.sweeping = false;
  }
}
