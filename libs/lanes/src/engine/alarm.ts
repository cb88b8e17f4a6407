/** A sleep that can be cut short; a ring while nobody sleeps is remembered. */
export class Alarm {
  private rung = false;
  private awaken: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.awaken?.();
  }

  /** Whether it rang. */
  async sleep(ms: number): Promise<boolean> {
    if (!this.rung && ms > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.awaken = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.awaken = undefined;
    } else {
      // Deliveries that have ended must get their turn even when the loop never rests.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { rung } = this;
    this.rung = false;
    return rung;
  }
}
