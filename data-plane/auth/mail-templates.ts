/** What a mail is about; each has a text of its own. */
export type MailKind =
  | 'confirmation'
  | 'invite'
  | 'magic_link'
  | 'recovery'
  | 'email_change'
  | 'reauthentication'

export type MailTemplate = { subject: string; html: string; text: string }
/** Own texts of a tenant; a missing plain text is made from the built-in one. */
export type MailTemplates = Partial<Record<MailKind, Partial<MailTemplate>>>

/** The variables of a template, written `{{ .Name }}` or `{{ .Data.name }}`. */
export type MailValues = {
  ConfirmationURL: string
  Token: string
  TokenHash: string
  SiteURL: string
  RedirectTo: string
  Email: string
  NewEmail: string
  Data: Record<string, unknown>
}

const page = (title: string, paragraph: string, button: string | undefined, code: boolean) =>
  [
    '<!doctype html><html><body style="font-family:system-ui,sans-serif;line-height:1.5">',
    `<h2>${title}</h2><p>${paragraph}</p>`,
    button === undefined ? '' : `<p><a href="{{ .ConfirmationURL }}">${button}</a></p>`,
    code ? '<p>Or enter this code: <strong>{{ .Token }}</strong></p>' : '',
    '<p style="color:#666">If you did not expect this mail you can ignore it.</p></body></html>',
  ].join('\n')

const plain = (paragraph: string, link: boolean, code: boolean) =>
  [
    paragraph,
    ...(link ? ['{{ .ConfirmationURL }}'] : []),
    ...(code ? ['Code: {{ .Token }}'] : []),
    'If you did not expect this mail you can ignore it.',
  ].join('\n\n')

function template(
  subject: string,
  paragraph: string,
  button: string | undefined,
  code = true,
): MailTemplate {
  return {
    subject,
    html: page(subject, paragraph, button, code),
    text: plain(paragraph, button !== undefined, code),
  }
}

export const builtInTemplates: Record<MailKind, MailTemplate> = {
  confirmation: template(
    'Confirm your e-mail address',
    'Thank you for signing up with {{ .Email }}. Follow the link to confirm that this address is yours.',
    'Confirm my address',
  ),
  invite: template(
    'You have been invited',
    'Somebody invited you to {{ .SiteURL }}. Follow the link to accept and to set up your account.',
    'Accept the invitation',
    false,
  ),
  magic_link: template(
    'Your sign-in link',
    'Follow the link to sign in. It works once and for a limited time.',
    'Sign in',
  ),
  recovery: template(
    'Reset your password',
    'You asked for a new password for {{ .Email }}. Follow the link to choose one.',
    'Choose a new password',
  ),
  email_change: template(
    'Confirm your new e-mail address',
    'You asked to change the address of your account from {{ .Email }} to {{ .NewEmail }}. Follow the link to agree.',
    'Confirm the change',
  ),
  reauthentication: template(
    'Your confirmation code',
    'Enter the code to confirm that it is you.',
    undefined,
  ),
}

/** Fills in the variables of a template; values are escaped in the HTML part and lose line breaks in the subject. */
export function renderMail(kind: MailKind, own: MailTemplates, values: MailValues): MailTemplate {
  const chosen = { ...builtInTemplates[kind], ...own[kind] }
  return {
    subject: fill(chosen.subject, values, (text) => text.replace(/[\r\n]+/g, ' ')),
    html: fill(chosen.html, values, escapeHtml),
    text: fill(chosen.text, values, (text) => text),
  }
}

/** Replaces each `{{ .Path }}`; a name that does not exist becomes nothing. Filled-in text is not looked at again. */
function fill(text: string, values: MailValues, escape: (text: string) => string): string {
  return text.replace(/\{\{-?\s*\.([A-Za-z_][\w.]*)\s*-?\}\}/g, (_, path: string) =>
    escape(valueAt(values, path.split('.'))),
  )
}

function valueAt(values: MailValues, path: string[]): string {
  let value: unknown = values
  for (const name of path) {
    const known = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    value = known ? (value as Record<string, unknown>)[name] : undefined // it is an object that has the name
  }
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => entities[char] ?? char)
}
