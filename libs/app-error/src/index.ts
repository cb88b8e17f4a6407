export { AppError, type AppErrorKind, type FieldProblem } from './app-error.ts';
