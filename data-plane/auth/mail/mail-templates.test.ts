import { expect, test } from 'vitest'
import { authMailKinds } from '#contract/auth/auth-mails'
import { renderMail } from './mail-templates.ts'

const values = {
  ConfirmationURL: 'http://localhost/verify?token=t&type=recovery',
  Token: '123456',
  TokenHash: 'hash',
  SiteURL: 'http://site',
  RedirectTo: 'http://site/next',
  Email: 'a@example.com',
  NewEmail: 'b@example.com',
  Data: { name: '<b>Ada</b> & "co"', deep: { n: 1 }, html: '{{ .Token }}' },
}
const own = (html: string, subject = 's') => ({ recovery: { subject, html, text: html } })

test.each(authMailKinds)('%s has a link or a code, and no variable left', (kind) => {
  const mail = renderMail(kind, {}, values)
  const all = `${mail.subject}${mail.html}${mail.text}`
  expect(all).not.toContain('{{')
  expect(mail.text.includes(values.ConfirmationURL) || mail.text.includes(values.Token)).toBe(true)
  expect(mail.html.includes('token=t&amp;type=recovery') || mail.html.includes('123456')).toBe(true)
})

test('values are escaped in HTML and left alone in text', () => {
  const mail = renderMail('recovery', own('{{ .Data.name }}'), values)
  expect(mail.html).toBe('&lt;b&gt;Ada&lt;/b&gt; &amp; &quot;co&quot;')
  expect(mail.text).toBe('<b>Ada</b> & "co"')
})

test('paths reach into data, and what does not exist is empty', () => {
  const template =
    '[{{.Data.deep.n}}][{{ .Data.none.x }}][{{- .Nope -}}][{{ .Data.constructor }}][{{ .Data.deep }}]'
  expect(renderMail('recovery', own(template), values).text).toBe('[1][][][][]')
})

test('a filled-in text is not a template', () => {
  expect(renderMail('recovery', own('{{ .Data.html }}'), values).text).toBe('{{ .Token }}')
})

test('a subject stays one line', () => {
  const data = { ...values, Data: { name: 'a\r\nBcc: c@example.com' } }
  expect(renderMail('recovery', own('', '{{ .Data.name }}'), data).subject).toBe(
    'a Bcc: c@example.com',
  )
})

test('a template may replace only a part', () => {
  const mail = renderMail('recovery', { recovery: { subject: 'Mine' } }, values)
  expect(mail.subject).toBe('Mine')
  expect(mail.html).toContain('Choose a new password')
})
