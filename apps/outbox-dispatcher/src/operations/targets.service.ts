import { type TargetReport, TargetStore } from '@malote/lanes';
import { type Tx, UnitOfWork } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import { OperatedLanes } from './operated-lanes.ts';
import { originIn } from './request-rules.ts';
import { type TargetView, toTargetView, type WaitingView } from './target.dto.ts';

/** What waits, by the name of a target as well as by that of its group. */
interface Waiting {
  readonly groups: ReadonlySet<string>;
  readonly of: ReadonlyMap<string, WaitingView[]>;
}

/** Targets as people see them: what workers know of them, and what waits for them. */
@Injectable()
export class TargetsService {
  private readonly store: TargetStore;

  constructor(
    private readonly lanes: OperatedLanes,
    private readonly uow: UnitOfWork,
  ) {
    this.store = new TargetStore(uow);
  }

  list(): Promise<TargetView[]> {
    return this.uow.read(async (tx) => {
      const reports = await this.store.reports(tx);
      const waiting = await this.waiting(tx);
      const known = new Map(reports.map((report) => [report.target, report]));
      const targets = new Set([
        ...reports.filter(isWorthTelling).map(({ target }) => target),
        ...waiting.groups,
      ]);
      return [...targets]
        .sort()
        .map((target) => toTargetView(target, known.get(target), waiting.of.get(target) ?? []));
    });
  }

  async one(target: string): Promise<TargetView> {
    const all = await this.list();
    return all.find((view) => view.target === target) ?? toTargetView(target, undefined, []);
  }

  private async waiting(tx: Tx): Promise<Waiting> {
    const groups = new Set<string>();
    const of = new Map<string, WaitingView[]>();
    for (const store of this.lanes.all()) {
      const { lane } = store;
      const counts = new Map<string, number>();
      for (const { target, count } of await store.waiting(tx)) {
        const names = this.lanes.namesOf(lane, target);
        groups.add(names.group);
        for (const name of new Set([names.target, names.group])) {
          counts.set(name, (counts.get(name) ?? 0) + count);
        }
      }
      for (const [name, count] of counts) {
        of.set(name, [...(of.get(name) ?? []), { lane: lane.name, count }]);
      }
    }
    return { groups, of };
  }
}

/** An address that asked for patience once is no news when it is over; lanes are shown elsewhere. */
function isWorthTelling({ target, openCount, blockedForMs, paused }: TargetReport): boolean {
  if (target.startsWith('lane:')) return false;
  return originIn(target) !== undefined || openCount > 0 || blockedForMs > 0 || paused;
}
