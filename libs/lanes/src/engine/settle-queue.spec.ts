import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError } from '@malote/app-error';
import { type LaneMessage } from '../lane/lane.ts';
import { type Settlement } from '../lane/settlement.ts';
import { handBack } from './conclude.ts';
import { SettleQueue } from './settle-queue.ts';

const BUSY = new AppError('unavailable', 'database-busy', 'Others keep locked what is needed here');

/** A database in which somebody keeps rows locked, and which refuses others. */
class Rows {
  readonly locked = new Set<string>();
  readonly refused = new Set<string>();
  readonly written: string[] = [];
  readonly abandoned: string[] = [];
  readonly troubles: unknown[] = [];
  readonly queue = new SettleQueue({
    write: (batch) => this.write(batch.map(({ message }) => message.id)),
    abandon: ({ message }) => this.abandoned.push(message.id),
    troubled: (error) => this.troubles.push(error),
  });

  private async write(ids: readonly string[]): Promise<void> {
    await Promise.resolve();
    if (ids.some((id) => this.locked.has(id))) throw BUSY;
    if (ids.some((id) => this.refused.has(id))) throw new Error('does not fit');
    this.written.push(...ids);
  }

  push(...ids: string[]): void {
    for (const id of ids) this.queue.push(settlementOf(id));
  }
}

function settlementOf(id: string): Settlement {
  return handBack({ id } as LaneMessage);
}

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => String(from + n));

describe('results that wait to be written', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('are all written although one of them is refused', async () => {
    const rows = new Rows();
    rows.refused.add('33');
    rows.push(...ids(0, 90));
    await jest.advanceTimersByTimeAsync(100);
    expect(rows.written).toHaveLength(89);
    expect(rows.abandoned).toEqual(['33']);
  });

  it('are written around a locked row, and those that come later are not held up', async () => {
    const rows = new Rows();
    rows.locked.add('33');
    rows.push(...ids(0, 90));
    await jest.advanceTimersByTimeAsync(50);
    rows.push(...ids(90, 95));
    await jest.advanceTimersByTimeAsync(50);
    expect(new Set(rows.written)).toEqual(new Set(ids(0, 95).filter((id) => id !== '33')));
    expect(rows.abandoned).toEqual([]);
    expect(rows.troubles).toContain(BUSY);
  });

  it('are kept while they are locked, and written once they are not', async () => {
    const rows = new Rows();
    rows.locked.add('1');
    rows.push('1', '2');
    await jest.advanceTimersByTimeAsync(60_000);
    expect(rows.written).toEqual(['2']);
    rows.locked.clear();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(rows.written).toEqual(['2', '1']);
  });

  it('are looked at about once a second while they are locked', async () => {
    const rows = new Rows();
    rows.locked.add('1');
    rows.push('1');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(rows.troubles.length).toBeGreaterThan(5);
    expect(rows.troubles.length).toBeLessThan(13);
  });

  it('do not keep a process from its end when they stay locked', async () => {
    const rows = new Rows();
    rows.locked.add('1');
    rows.push('1', '2');
    await jest.advanceTimersByTimeAsync(5_000);
    await rows.queue.close();
    const { length } = rows.troubles;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(rows.troubles).toHaveLength(length);
    expect(rows.written).toEqual(['2']);
  });
});
