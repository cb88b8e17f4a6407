import type { StreamableFile } from '@nestjs/common';
import type { Html } from './html.ts';

/** What a form that did its work answers: the browser asks for the next page, and a reload repeats nothing. */
export class SeeOther {
  constructor(readonly path: string) {}
}

/** A page that says why something was not done. */
export class Refused {
  constructor(
    readonly status: number,
    readonly page: Html,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

export type PageAnswer = Html | SeeOther | Refused | StreamableFile;
