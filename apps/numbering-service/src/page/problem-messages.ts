import { MAX_PASSWORD, MIN_PASSWORD } from '../auth/password-rules.ts';

type Details = Readonly<Record<string, unknown>>;
type Sentence = string | ((details: Details) => string);

/** What a refusal means, by its code. */
export const sentences: Readonly<Record<string, Sentence>> = {
  'login-failed': 'E-mail ou senha incorretos. Confira os dois e tente de novo.',
  'temporary-password-expired': 'Esta senha temporária venceu. Peça outra à administração.',
  'too-many-attempts': 'Houve muitas tentativas seguidas.',
  'login-busy': 'Muitas pessoas estão entrando ao mesmo tempo.',
  'password-control-characters': 'A senha tem caracteres que não podem ser digitados.',
  'password-too-short': `Nova senha: ${MIN_PASSWORD} caracteres ou mais. Algumas palavras juntas funcionam bem.`,
  'password-too-long': `Nova senha: no máximo ${MAX_PASSWORD} caracteres.`,
  'password-unchanged': 'A nova senha precisa ser diferente da anterior.',
  'password-personal': 'A senha não pode conter o seu nome, o seu e-mail ou o nome deste órgão.',
  'password-guessable': 'Esta senha é fácil de adivinhar. Junte palavras que não costumam andar juntas.',
  'current-password-missing': 'Senha atual: digite a senha que você usa hoje.',
  'current-password-wrong': 'A senha atual não confere.',
  'password-changed-meanwhile': 'A senha foi trocada enquanto isso. Entre de novo.',
  'email-taken': 'Já existe um usuário com este e-mail.',
  'user-unknown': 'Este usuário não existe.',
  'user-inactive': 'Este usuário está desativado. Ative-o antes de dar uma senha temporária.',
  'last-admin': 'Não é possível: não sobraria ninguém ativo na administração.',
  'not-yourself': 'Ninguém pode fazer isto com o próprio cadastro. Peça a outra pessoa da administração.',
  'admins-only': 'Esta área é só da administração.',
  'document-type-unknown': 'Este tipo de documento não existe.',
  'document-type-inactive': 'Este tipo de documento está desativado e não dá mais números.',
  'document-type-name-taken': 'Já existe um tipo ativo com este nome.',
  'document-type-used': 'Já foram dados números deste tipo, por isso ele não pode ser removido. Desative-o.',
  'range-exists': 'O emitente já tem uma faixa deste documento e desta série.',
  'range-unknown': 'Esta faixa não existe.',
  'sequence-beyond': ({ lastNumber, year }) =>
    `A sequência já está em ${String(lastNumber)}/${String(year)}. Só é possível avançar.`,
  'number-unknown': 'Este número não existe.',
  'number-already-annulled': 'Este número já foi anulado.',
  'number-changed-meanwhile':
    'Outra pessoa corrigiu este número enquanto você escrevia. Confira e salve de novo.',
  'not-your-number': 'Só quem pegou o número, ou a administração, pode corrigi-lo ou anulá-lo.',
  'idempotency-key-reused': ({ formattedNumber }) =>
    `Este formulário já recebeu o número ${String(formattedNumber)}.`,
  'cross-site-request':
    'O pedido veio de outro site e foi recusado. Abra o sistema pelo endereço dele e tente de novo.',
  'database-unavailable': 'O banco de dados não está respondendo agora. Nenhum número foi perdido.',
  'database-busy': 'O banco de dados está ocupado agora. Tente de novo em alguns segundos.',
  'invalid-cursor': 'Este link de página não vale para estes filtros. Volte aos mais recentes.',
  'form-incomplete': 'O formulário chegou incompleto. Volte ao início e tente de novo.',
  'malformed-text': 'O texto tem caracteres inválidos.',
  'body-too-large': 'O formulário enviado é grande demais.',
};

const REASON = 'de 10 a 500 caracteres.';

/** The whole rule of each field, by form. */
export const rules = {
  login: { email: 'E-mail: digite o seu e-mail.', password: 'Senha: digite a sua senha.' },
  password: {
    newPassword: `Nova senha: de ${MIN_PASSWORD} a ${MAX_PASSWORD} caracteres.`,
    currentPassword: 'Senha atual: digite a senha que você usa hoje.',
  },
  take: {
    subject: 'Assunto: no máximo 200 caracteres, em uma linha.',
    recipient: 'Destinatário: no máximo 200 caracteres, em uma linha.',
    processNumber: 'Processo: no máximo 50 caracteres, em uma linha.',
    notes: 'Observação: no máximo 500 caracteres.',
  },
  annul: { reason: `Motivo: ${REASON}` },
  register: {
    documentTypeId: 'Tipo: escolha um da lista.',
    from: 'De: uma data como 01/07/2026.',
    to: 'Até: uma data como 01/07/2026.',
    userId: 'Quem: escolha um nome da lista.',
    state: 'Situação: escolha uma da lista.',
    text: 'Buscar: no máximo 100 caracteres.',
  },
  user: {
    name: 'Nome: de 2 a 100 caracteres.',
    email: 'E-mail: um endereço como maria@orgao.gov.br, sem acentos.',
    role: 'Perfil: escolha um da lista.',
  },
  type: {
    name: 'Nome: de 2 a 50 caracteres.',
    prefix: 'Prefixo: de 1 a 10 letras ou algarismos, sem acentos nem espaços.',
    sortOrder: 'Ordem: um número inteiro de 1 a 9999.',
  },
  sequence: {
    documentTypeId: 'Tipo: escolha um da lista.',
    lastNumber: 'Último número já usado: um número inteiro de 1 a 999999.',
    justification: `Justificativa: ${REASON}`,
  },
  range: {
    issuer: 'Emitente: um CNPJ ou CPF válido, com ou sem pontuação.',
    kind: 'Documento: escolha um da lista.',
    series:
      'Série: NF-e e NFC-e, de 0 a 999; DPS, de 1 a 99999; RPS, até 5 letras maiúsculas ou algarismos. Sem zeros à esquerda.',
    lastNumber:
      'Último número já usado: um número inteiro, menor que o maior da faixa (NF-e e NFC-e, 9 algarismos; RPS, 12; DPS, 15).',
    reason: `Motivo: ${REASON}`,
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;
