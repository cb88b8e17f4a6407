import type { SignedIn } from '../../auth/signed-in.ts';
import { type Html, html } from '../html.ts';
import { text } from '../messages.ts';
import { type FormState, summary, textField } from './form.ts';
import { doneNotice, layout } from './layout.ts';

/** Only a script can show what is typed into the fields of its form. */
const REVEAL = html`<button type="button" class="quiet reveal needs-script" data-reveal aria-pressed="false">
  ${text.password.show}
</button>`;

export interface LoginView {
  readonly state: FormState;
  /** Where to go afterwards. */
  readonly returnTo: string;
  readonly done?: string | undefined;
  /** How the session before ended. */
  readonly ended?: string | undefined;
}

export function loginPage({ state, returnTo, done, ended }: LoginView): Html {
  const { title, intro, email, password, submit, forgot } = text.login;
  return layout(undefined, {
    title,
    isNarrow: true,
    isRefusal: state.problem !== undefined,
    body: html`${doneNotice(done)} ${endedNotice(ended)}
      <p class="lead">${intro}</p>
      <form method="post" action="/entrar" class="panel" novalidate>
        ${summary(state)}
        ${returnTo !== '/' && html`<input type="hidden" name="voltar" value="${returnTo}" />`}
        ${textField(state, { name: 'email', label: email, type: 'email', autocomplete: 'username', maxLength: 254, isFocused: true })}
        ${textField(state, { name: 'password', label: password, type: 'password', autocomplete: 'current-password' })}
        ${REVEAL}
        <p class="buttons"><button>${submit}</button></p>
      </form>
      <p class="hint">${forgot}</p>`,
  });
}

export function passwordPage(user: SignedIn, state: FormState, asksCurrent: boolean): Html {
  const { title, mustTitle, mustIntro, mustIntroKept, intro, current, next, hint, submit } = text.password;
  const isForced = user.mustChangePassword;
  const forcedIntro = asksCurrent ? mustIntroKept : mustIntro;
  return layout(user, {
    title: isForced ? mustTitle : title,
    section: 'password',
    isNarrow: true,
    isRefusal: state.problem !== undefined,
    body: html`<p class="lead">${isForced ? forcedIntro : intro}</p>
      <form method="post" action="/senha" class="panel" novalidate>
        ${summary(state)}
        <input
          class="visually-hidden"
          type="email"
          name="username"
          value="${user.email}"
          autocomplete="username"
          tabindex="-1"
          aria-hidden="true"
          readonly
        />
        ${asksCurrent && textField(state, { name: 'currentPassword', label: current, type: 'password', autocomplete: 'current-password', isFocused: true })}
        ${textField(state, { name: 'newPassword', label: next, hint, type: 'password', autocomplete: 'new-password', isFocused: !asksCurrent })}
        ${REVEAL}
        <p class="buttons"><button>${submit}</button></p>
      </form>`,
  });
}

function endedNotice(ended: string | undefined): Html | false {
  const { ended: sentences } = text.login;
  const message = ended !== undefined && Object.hasOwn(sentences, ended) && sentences[ended];
  return message ? html`<p class="notice warning" role="status">${message}</p>` : false;
}
