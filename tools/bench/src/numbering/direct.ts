import { DocumentNumbers } from '@malote/numbering';
import { type Figure } from '../figure.ts';
import { type Contender, contest, figureOf } from './contest.ts';
import { type RegisterFile } from './register-file.ts';
import { requestFor } from './request.ts';
import { type Effort, FULL } from './rounds.ts';

/** Numbers of one sequence per second, many callers in one process, beside a bare loop that takes one after the other. */
export async function direct(effort: Effort = FULL): Promise<Figure> {
  const { callers } = effort;
  return figureOf(await contest(effort, enter), { name: 'direct', callers, aim: '>=0.8' });
}

function enter({ uow, documentTypeId }: RegisterFile): Promise<Contender> {
  const numbers = new DocumentNumbers(uow);
  return Promise.resolve({
    take: async () => (await numbers.take(requestFor(documentTypeId), new Date())).entry.number,
    end: () => Promise.resolve(),
  });
}
