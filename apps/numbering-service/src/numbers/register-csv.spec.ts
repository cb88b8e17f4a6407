import { Readable } from 'node:stream';
import { NumberLogEntity } from '@malote/numbering';
import { expect, it } from '@jest/globals';
import { registerCsv } from './register-csv.ts';

async function cellOf(subject: string): Promise<string | undefined> {
  const taken = Object.assign(new NumberLogEntity(), {
    subject,
    number: 1,
    year: 2026,
    formattedNumber: '1/2026',
    documentTypeName: 'Despacho',
    prefix: null,
  });
  const number = { taken, latest: taken, annulled: undefined };
  const lines: string[] = [];
  for await (const line of registerCsv(Readable.from([number]))) lines.push(line);
  return /^"Despacho 1\/2026";"1";"2026";"Despacho";"";(".*");"";"";"";"";"";"";"Emitido"/s.exec(
    lines[1] ?? '',
  )?.[1];
}

it.each([
  ['plain; with a semicolon', '"plain; with a semicolon"'],
  ['says "no"', '"says ""no"""'],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+55 47', `"'+55 47"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['  =1+1', `"'  =1+1"`],
  ["'=1+1", `"''=1+1"`],
  ['|cmd', `"'|cmd"`],
  ['%0A', `"'%0A"`],
  ['a = b', '"a = b"'],
  ['100% - fim', '"100% - fim"'],
])('writes %j as %s', async (subject, cell) => {
  expect(await cellOf(subject)).toBe(cell);
});
