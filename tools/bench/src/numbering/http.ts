import { type Figure } from '../figure.ts';
import { Clerks } from './clerks.ts';
import { type Contender, contest, figureOf } from './contest.ts';
import { NumberingService } from './numbering-service.ts';
import { type RegisterFile } from './register-file.ts';
import { type Effort, FULL } from './rounds.ts';

/** The same through the whole service, each caller on a connection of their own: HTTP, session, validation and all. */
export async function http(effort: Effort = FULL): Promise<Figure> {
  const { callers } = effort;
  const result = await contest(effort, (file) => enter(file, callers));
  return figureOf(result, { name: 'http', callers });
}

async function enter(file: RegisterFile, callers: number): Promise<Contender> {
  const service = await NumberingService.start(file);
  try {
    const clerks = new Clerks(service.url, await service.logIn(), file.documentTypeId, callers);
    return {
      take: () => clerks.take(),
      end: async () => {
        await clerks.leave();
        await service.end();
      },
    };
  } catch (error) {
    await service.end();
    throw error;
  }
}
