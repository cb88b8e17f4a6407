import { TargetStore } from '@malote/outbox';
import { type Tx, UnitOfWork } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import { OperatedLanes } from './operated-lanes.ts';
import { type TargetView, toTargetView, type WaitingView } from './target.dto.ts';

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
      const reports = new Map((await this.store.reports(tx)).map((report) => [report.target, report]));
      const waiting = await this.waiting(tx);
      const targets = new Set([...reports.keys(), ...waiting.keys()]);
      return [...targets]
        .filter((target) => !target.startsWith('lane:'))
        .sort()
        .map((target) => toTargetView(target, reports.get(target), waiting.get(target) ?? []));
    });
  }

  async one(target: string): Promise<TargetView> {
    const all = await this.list();
    return all.find((view) => view.target === target) ?? toTargetView(target, undefined, []);
  }

  private async waiting(tx: Tx): Promise<Map<string, WaitingView[]>> {
    const waiting = new Map<string, WaitingView[]>();
    for (const store of this.lanes.all()) {
      const lane = store.lane.name;
      for (const [origin, count] of countByOrigin(await store.waiting(tx), (target) =>
        this.lanes.originOf(store.lane, target),
      )) {
        waiting.set(origin, [...(waiting.get(origin) ?? []), { lane, count }]);
      }
    }
    return waiting;
  }
}

function countByOrigin(
  waiting: readonly { readonly target: string; readonly count: number }[],
  originOf: (target: string) => string | undefined,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { target, count } of waiting) {
    const origin = originOf(target);
    if (origin !== undefined) counts.set(origin, (counts.get(origin) ?? 0) + count);
  }
  return counts;
}
