import { parseInstant } from '@malote/service-kit';
import type { FormFields } from '../form-fields.ts';
import type { FormProblem } from '../form-problem.ts';
import { attributes, type Html, html, type Insert } from '../html.ts';
import { text } from '../messages.ts';

/** What a form shows: what was typed, and why it was refused. */
export interface FormState {
  readonly values: FormFields;
  readonly problem?: FormProblem | undefined;
}

export const EMPTY: FormState = { values: {} };

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
}

interface TextField extends Field {
  readonly type?: 'text' | 'email' | 'search' | 'date' | 'password';
  readonly maxLength?: number;
  readonly autocomplete?: string;
  readonly inputMode?: 'numeric';
  readonly className?: string;
  readonly isFocused?: boolean;
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** Above the fields: what is wrong in one sentence. Takes the focus when no field is to blame. */
export function summary({ problem }: FormState): Html | false {
  if (!problem) return false;
  const focus = Object.keys(problem.fields).length === 0 && attributes({ tabindex: -1, autofocus: true });
  return html`<p class="notice refused" role="alert" ${focus}>${problem.summary}</p>`;
}

export function textField(state: FormState, field: TextField): Html {
  const { name, type = 'text', maxLength, autocomplete, inputMode, isFocused, className } = field;
  const value = showable(type, state.values[name] ?? '');
  return fieldRow(
    state,
    field,
    html`<input
      id="${idOf(name)}"
      name="${name}"
      type="${type}"
      value="${value}"
      ${attributes({
        maxlength: maxLength,
        autocomplete,
        inputmode: inputMode,
        autofocus: isFocused && !state.problem,
      })}
      ${stateOf(state, field)}
    />`,
    className,
  );
}

export function textArea(state: FormState, field: Field & { readonly maxLength: number }): Html {
  const { name, maxLength } = field;
  return fieldRow(
    state,
    field,
    html`<textarea
      id="${idOf(name)}"
      name="${name}"
      rows="3"
      maxlength="${maxLength}"
      ${stateOf(state, field)}
    >
${state.values[name] ?? ''}</textarea>`,
  );
}

export function selectField(
  state: FormState,
  field: Field & { readonly options: readonly Option[]; readonly empty?: string },
): Html {
  const { name, options, empty } = field;
  const chosen = state.values[name] ?? '';
  return fieldRow(
    state,
    field,
    html`<select id="${idOf(name)}" name="${name}" ${stateOf(state, field)}>
      ${empty !== undefined && html`<option value="">${empty}</option>`}${options.map(
        ({ value, label }) =>
          html`<option value="${value}" ${value === chosen && html`selected`}>${label}</option>`,
      )}
    </select>`,
  );
}

/** A button that is a form of its own. */
export function actionForm(path: string, label: string, hint: string, isDangerous = false): Html {
  return html`<form method="post" action="${path}" class="action">
    <p>${hint}</p>
    <button class="quiet${isDangerous && ' danger'}">${label}</button>
  </form>`;
}

function fieldRow(state: FormState, field: Field, control: Insert, className?: string): Html {
  const { name, label, hint, isOptional } = field;
  const problem = state.problem?.fields[name];
  return html`<div class="field${className !== undefined && ` ${className}`}">
    <label for="${idOf(name)}"
      >${label}${isOptional && html` <span class="optional">${text.optional}</span>`}</label
    >
    ${hint !== undefined && html`<p class="hint" id="${idOf(name)}-dica">${hint}</p>`}
    ${problem !== undefined && html`<p class="wrong" id="${idOf(name)}-erro">${problem}</p>`} ${control}
  </div>`;
}

function stateOf({ problem }: FormState, { name, hint, isOptional }: Field): Html {
  const isWrong = problem?.fields[name] !== undefined;
  const isFirstWrong = isWrong && Object.keys(problem.fields)[0] === name;
  const described = [hint !== undefined && `${idOf(name)}-dica`, isWrong && `${idOf(name)}-erro`];
  return attributes({
    required: !isOptional,
    'aria-invalid': isWrong && 'true',
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
    autofocus: isFirstWrong,
  });
}

/** A password is never sent back, and a field for days takes nothing but days. */
function showable(type: NonNullable<TextField['type']>, value: string): string {
  const isShown = type === 'date' ? parseInstant(value) !== undefined : type !== 'password';
  return isShown ? value : '';
}

function idOf(name: string): string {
  return `campo-${name}`;
}
