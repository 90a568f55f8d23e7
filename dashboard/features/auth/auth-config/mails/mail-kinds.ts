import type { AuthKey } from '#contract/auth/auth-config-keys'
import type { AuthMailKind } from '#contract/auth/auth-mails'

/** What a template can say, and what stands in its place in the preview. */
export const mailVariables = {
  ConfirmationURL: { help: 'The link that confirms, signs in or accepts', sample: '#' },
  Token: { help: 'The code, to enter instead of following the link', sample: '123456' },
  TokenHash: { help: 'The hash of the code, for your own links', sample: '5f1c0b7e' },
  SiteURL: { help: 'The site URL of this project', sample: 'https://example.com' },
  RedirectTo: { help: 'The URL that the app asked for', sample: 'https://example.com/welcome' },
  Email: { help: 'The address of the user', sample: 'ada@example.com' },
  NewEmail: { help: 'The new address of the user', sample: 'ada@example.org' },
  Data: { help: 'What your app stored about the user, such as {{ .Data.name }}', sample: '' },
} as const
export type MailVariable = keyof typeof mailVariables

export type MailTemplate = {
  kind: AuthMailKind
  title: string
  help: string
  subject: AuthKey
  content: AuthKey
  variables: readonly MailVariable[]
}

const max: readonly MailVariable[] = [
  'ConfirmationURL',
  'Token',
  'TokenHash',
  'SiteURL',
  'RedirectTo',
  'Email',
  'Data',
]

/** The mails of the auth service, in the order of the requirements' facts. */
export const mailTemplates: readonly MailTemplate[] = [
  {
    kind: 'confirmation',
    title: 'Confirm signup',
    help: 'Asks new users to confirm their email address.',
    subject: 'MAILER_SUBJECTS_CONFIRMATION',
    content: 'MAILER_TEMPLATES_CONFIRMATION_CONTENT',
    variables: max,
  },
  {
    kind: 'invite',
    title: 'Invite user',
    help: 'Invites people without an account to create one.',
    subject: 'MAILER_SUBJECTS_INVITE',
    content: 'MAILER_TEMPLATES_INVITE_CONTENT',
    variables: max,
  },
  {
    kind: 'magic_link',
    title: 'Magic Link',
    help: 'A link and a code to sign in without a password.',
    subject: 'MAILER_SUBJECTS_MAGIC_LINK',
    content: 'MAILER_TEMPLATES_MAGIC_LINK_CONTENT',
    variables: max,
  },
  {
    kind: 'email_change',
    title: 'Change Email Address',
    help: 'Asks users to confirm an email change.',
    subject: 'MAILER_SUBJECTS_EMAIL_CHANGE',
    content: 'MAILER_TEMPLATES_EMAIL_CHANGE_CONTENT',
    variables: [...max.slice(0, -1), 'NewEmail', 'Data'],
  },
  {
    kind: 'recovery',
    title: 'Reset Password',
    help: 'Lets users who forgot their password set a new one.',
    subject: 'MAILER_SUBJECTS_RECOVERY',
    content: 'MAILER_TEMPLATES_RECOVERY_CONTENT',
    variables: max,
  },
  {
    kind: 'reauthentication',
    title: 'Reauthentication',
    help: 'A code required before sensitive actions.',
    subject: 'MAILER_SUBJECTS_REAUTHENTICATION',
    content: 'MAILER_TEMPLATES_REAUTHENTICATION_CONTENT',
    variables: ['Token', 'SiteURL', 'Email', 'Data'],
  },
]

export const written = (name: string): string => `{{ .${name} }}`

/** A template with the values of somebody who does not exist. A name that does not exist becomes nothing, as in the mail. */
export const previewOf = (text: string): string =>
  text.replace(/\{\{-?\s*\.([A-Za-z_][\w.]*)\s*-?\}\}/g, (_, name: string) =>
    Object.hasOwn(mailVariables, name) ? mailVariables[name as MailVariable].sample : '',
  )
