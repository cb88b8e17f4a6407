import type { RegisterAudit } from '@malote/numbering';
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.ts';
import { NumbersService } from '../numbers/numbers.service.ts';

const GOOD_FOR_MS = 60_000;

/** An audit reads every entry there is; what every home page shows is at most a minute old. */
@Injectable()
export class AuditCache {
  private last: { readonly at: Date; readonly audit: Promise<RegisterAudit> } | undefined;

  constructor(
    private readonly numbers: NumbersService,
    private readonly clock: Clock,
  ) {}

  /** Those who ask while it runs wait for the same one. */
  recent(): Promise<RegisterAudit> {
    const ageMs = this.last ? this.clock.now().getTime() - this.last.at.getTime() : Infinity;
    return this.last && ageMs >= 0 && ageMs < GOOD_FOR_MS ? this.last.audit : this.fresh();
  }

  fresh(): Promise<RegisterAudit> {
    const audit = this.numbers.audit({});
    const entry = { at: this.clock.now(), audit };
    this.last = entry;
    audit.catch(() => {
      if (this.last === entry) this.last = undefined;
    });
    return audit;
  }
}
