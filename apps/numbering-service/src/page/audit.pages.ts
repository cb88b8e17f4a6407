import { Get } from '@nestjs/common';
import { CurrentUser } from '../auth/session.decorator.ts';
import type { SignedIn } from '../auth/signed-in.ts';
import { AuditCache } from './audit-cache.ts';
import { type Html } from './html.ts';
import { Pages } from './page.decorator.ts';
import { auditBadge, auditPage } from './views/audit.view.ts';

@Pages('clerk', 'auditoria')
export class AuditPages {
  constructor(private readonly audits: AuditCache) {}

  @Get()
  async audit(@CurrentUser() user: SignedIn): Promise<Html> {
    return auditPage(user, await this.audits.fresh());
  }

  @Get('selo')
  async badge(): Promise<Html> {
    return auditBadge(await this.audits.recent());
  }
}
