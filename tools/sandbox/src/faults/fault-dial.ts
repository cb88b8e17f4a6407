import { type Setting } from './setting.ts';

export type Settings = Readonly<Record<string, Setting<unknown>>>;
export type FaultValues<S extends Settings> = { readonly [Name in keyof S]: S[Name]['fair'] };

/** What goes wrong at one peer, and how often. */
export class FaultDial<S extends Settings> {
  private readonly fair: FaultValues<S>;
  private current: FaultValues<S>;

  constructor(private readonly settings: S) {
    const fair = Object.entries(settings).map(([name, setting]) => [name, setting.fair]);
    this.fair = Object.fromEntries(fair) as FaultValues<S>;
    this.current = this.fair;
  }

  get faults(): FaultValues<S> {
    return this.current;
  }

  /** Names that are left out go back to fair weather. Returns what is wrong with the values; then nothing changes. */
  set(given: unknown): readonly string[] {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return ['must be a JSON object'];
    const problems = Object.entries(given).flatMap(([name, value]) => {
      const setting = Object.hasOwn(this.settings, name) ? this.settings[name] : undefined;
      if (!setting) return [`${name} is no fault of this peer`];
      return setting.accepts(value) ? [] : [`${name} ${setting.rule}`];
    });
    if (problems.length === 0) this.current = { ...this.fair, ...given };
    return problems;
  }

  clear(): void {
    this.current = this.fair;
  }
}
