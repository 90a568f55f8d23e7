import { builtInMails, type AuthMailKind } from '#contract/auth/auth-mails'

/** What a mail is about; each has a text of its own. */
export type MailKind = AuthMailKind

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

/** Fills in the variables of a template; values are escaped in the HTML part and lose line breaks in the subject. */
export function renderMail(kind: MailKind, own: MailTemplates, values: MailValues): MailTemplate {
  const chosen = { ...builtInMails[kind], ...own[kind] }
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
