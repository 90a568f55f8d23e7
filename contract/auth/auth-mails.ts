/** What a mail of the auth service is about; each has a text of its own. */
export const authMailKinds = [
  'confirmation',
  'invite',
  'magic_link',
  'recovery',
  'email_change',
  'reauthentication',
] as const
export type AuthMailKind = (typeof authMailKinds)[number]

export type AuthMailText = { subject: string; html: string; text: string }

const page = (title: string, paragraph: string, button: string | undefined, code: boolean) =>
  [
    '<!doctype html><html><body style="font-family:system-ui,sans-serif;line-height:1.5">',
    `<h2>${title}</h2><p>${paragraph}</p>`,
    button === undefined ? '' : `<p><a href="{{ .ConfirmationURL }}">${button}</a></p>`,
    code ? '<p>Or enter this code: <strong>{{ .Token }}</strong></p>' : '',
    '<p style="color:#666">If you did not expect this email, you can ignore it.</p></body></html>',
  ].join('\n')

const plain = (paragraph: string, link: boolean, code: boolean) =>
  [
    paragraph,
    ...(link ? ['{{ .ConfirmationURL }}'] : []),
    ...(code ? ['Code: {{ .Token }}'] : []),
    'If you did not expect this email, you can ignore it.',
  ].join('\n\n')

function mail(
  subject: string,
  paragraph: string,
  button: string | undefined,
  code = true,
): AuthMailText {
  return {
    subject,
    html: page(subject, paragraph, button, code),
    text: plain(paragraph, button !== undefined, code),
  }
}

/** What is sent until a project has texts of its own; so it is what its settings begin with. */
export const builtInMails: Record<AuthMailKind, AuthMailText> = {
  confirmation: mail(
    'Confirm your email address',
    'Thank you for signing up with {{ .Email }}. Follow the link to confirm that this address is yours.',
    'Confirm my address',
  ),
  invite: mail(
    'You have been invited',
    'You have been invited to {{ .SiteURL }}. Follow the link to accept and to set up your account.',
    'Accept the invitation',
    false,
  ),
  magic_link: mail(
    'Your sign-in link',
    'Follow the link to sign in. It works once and for a limited time.',
    'Sign in',
  ),
  recovery: mail(
    'Reset your password',
    'You asked for a new password for {{ .Email }}. Follow the link to choose one.',
    'Choose a new password',
  ),
  email_change: mail(
    'Confirm your new email address',
    'You asked to change the address of your account from {{ .Email }} to {{ .NewEmail }}. Follow the link to agree.',
    'Confirm the change',
  ),
  reauthentication: mail(
    'Your confirmation code',
    'Enter the code to confirm your identity.',
    undefined,
  ),
}
