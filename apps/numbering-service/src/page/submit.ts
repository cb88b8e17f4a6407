import { type FormProblem, formProblem } from './form-problem.ts';
import type { Html } from './html.ts';
import { type PageAnswer, Refused } from './page-answer.ts';

/** Does what a form asks for, or shows it again with what is wrong about it. */
export async function submit(
  rules: Readonly<Record<string, string>>,
  work: () => Promise<PageAnswer>,
  again: (problem: FormProblem) => Promise<Html> | Html,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    const problem = formProblem(error, rules);
    if (!problem) throw error;
    return new Refused(problem.status, await again(problem), problem.headers);
  }
}
