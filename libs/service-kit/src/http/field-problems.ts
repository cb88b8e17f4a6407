import type { FieldProblem } from '@malote/app-error';
import type { ValidationError } from 'class-validator';
import { toPointer } from './json-pointer.ts';

/** Enough to repair a request; a body of a thousand wrong items is not repaid in kind. */
const MAX_PROBLEMS = 100;

/** Flattens class-validator's tree into one entry per broken rule, each with the JSON pointer of its field. */
export function fieldProblems(errors: readonly ValidationError[]): FieldProblem[] {
  const found: FieldProblem[] = [];
  collect(errors, [], found);
  return found;
}

function collect(
  errors: readonly ValidationError[],
  parents: readonly string[],
  found: FieldProblem[],
): void {
  for (const { property, constraints, children } of errors) {
    const path = [...parents, property];
    for (const [rule, message] of Object.entries(constraints ?? {})) {
      if (found.length >= MAX_PROBLEMS) return;
      found.push({ pointer: toPointer(path), code: codeOf(rule), message });
    }
    collect(children ?? [], path, found);
  }
}

function codeOf(rule: string): string {
  if (rule === 'whitelistValidation') return 'unknown-field';
  return rule.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
