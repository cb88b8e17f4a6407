import { saoPauloTime } from '@malote/brazil';
import { type Html, html } from '../html.ts';

/** `15/06/2026 11:30`, by the clock of São Paulo. */
export function dateAndTime(moment: Date): string {
  const [, year = '', month = '', day = '', time = ''] =
    /^(\d+)-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(saoPauloTime(moment)) ?? [];
  return `${day}/${month}/${year} ${time}`;
}

/** The same for people and for programs. */
export function timeTag(moment: Date): Html {
  return html`<time datetime="${saoPauloTime(moment)}">${dateAndTime(moment)}</time>`;
}

/** A day as it is typed into forms, as people write it. */
export function dayOf(day: string): string {
  return day.split('-').reverse().join('/');
}

export function hourOf(moment: Date): number {
  return Number(saoPauloTime(moment).slice(11, 13));
}
