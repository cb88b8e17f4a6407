/**
 * A bounded cache: it keeps at least the `capacity` keys used last and at most twice as many. Two generations instead of
 * an exact order, so that a hit costs one lookup.
 */
export class RecentlyUsed<K, V extends object> {
  private young = new Map<K, V>();
  private old = new Map<K, V>();

  constructor(
    private readonly capacity: number,
    private readonly drop?: (value: V) => void,
  ) {}

  get(key: K): V | undefined {
    const found = this.young.get(key);
    if (found) return found;
    const aged = this.old.get(key);
    if (!aged) return undefined;
    this.old.delete(key);
    this.set(key, aged);
    return aged;
  }

  set(key: K, value: V): void {
    if (this.young.size >= this.capacity) {
      for (const forgotten of this.old.values()) this.drop?.(forgotten);
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }

  /** Hands out what it forgets: nothing of it is dropped. */
  take(mayGo: (key: K) => boolean): V[] {
    const taken: V[] = [];
    for (const generation of [this.young, this.old]) {
      for (const [key, value] of generation) {
        if (!mayGo(key)) continue;
        generation.delete(key);
        taken.push(value);
      }
    }
    return taken;
  }
}
