import { Readable } from 'node:stream';
import type { Log } from '@malote/service-kit';
import { StreamableFile } from '@nestjs/common';
import type { RegisteredNumber } from './register.repository.ts';
import { toNumberDto } from './number.dto.ts';

/** Spreadsheets in Brazil take a semicolon for the separator, and UTF-8 only when it says so. */
const BOM = '\uFEFF';
const SEPARATOR = ';';
const LINE_END = '\r\n';

const HEADINGS = [
  'Documento',
  'Número',
  'Ano',
  'Tipo',
  'Prefixo',
  'Assunto',
  'Destinatário',
  'Processo',
  'Observação',
  'Gerado por',
  'E-mail',
  'Gerado em',
  'Situação',
  'Motivo da anulação',
  'Anulado por',
  'Anulado em',
  'Selo',
];

/**
 * The register as a file. The first rows are fetched before the answer begins, so that what is wrong with the filters or the
 * database is still told as such.
 */
export async function registerFile(
  numbers: AsyncGenerator<RegisteredNumber>,
  log: Log,
): Promise<StreamableFile> {
  const first = await numbers.next();
  const lines = Readable.from(registerCsv(startingWith(first, numbers)));
  return new StreamableFile(lines, {
    type: 'text/csv; charset=utf-8',
    disposition: 'attachment; filename="registro.csv"',
  }).setErrorLogger((err) => {
    log.error('The register could not be exported to its end', { err });
  });
}

async function* startingWith<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

export async function* registerCsv(numbers: AsyncIterable<RegisteredNumber>): AsyncGenerator<string> {
  yield BOM + lineOf(HEADINGS);
  for await (const number of numbers) yield lineOf(cellsOf(number));
}

function cellsOf(registered: RegisteredNumber): (string | null)[] {
  const number = toNumberDto(registered);
  const { annulment } = number;
  return [
    // Alone, 1/2026 would be January to a spreadsheet.
    `${number.prefix ?? number.documentTypeName} ${number.formattedNumber}`,
    String(number.number),
    String(number.year),
    number.documentTypeName,
    number.prefix,
    number.subject,
    number.recipient,
    number.processNumber,
    number.notes,
    number.user.name,
    number.user.email,
    number.generatedAtLocal,
    number.state === 'annulled' ? 'Anulado' : 'Emitido',
    annulment?.reason ?? null,
    annulment?.by.name ?? null,
    annulment?.atLocal ?? null,
    number.hash,
  ];
}

function lineOf(cells: readonly (string | null)[]): string {
  return cells.map((cell) => quoted(cell ?? '')).join(SEPARATOR) + LINE_END;
}

/** A spreadsheet runs what begins like a formula; behind an apostrophe it is text. */
function quoted(text: string): string {
  const harmless = /^[\s"']*[=+\-@|%]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
