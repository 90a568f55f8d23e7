import { expect, test } from 'vitest'
import { builtInMails } from '#contract/auth/auth-mails'
import { mailTemplates, previewOf } from './mail-kinds.ts'
import { spamHints } from './spam-hints.ts'

test.each(mailTemplates.map((template) => [template.kind, template] as const))(
  'there is nothing to say about the built-in mail %s',
  (kind, template) => {
    const { subject, html } = builtInMails[kind]
    expect(spamHints(template, subject, html)).toEqual([])
  },
)

const [template] = mailTemplates
if (!template) throw new Error('There are mails')
const good = '<p>Please confirm that this is your address: {{ .ConfirmationURL }}</p>'
const link = (to: string) => `<a href="${to}">there</a>`

test.each([
  [
    'a mail that leads nowhere',
    'Hello',
    '<p>Please confirm that this is your address.</p>',
    /^No one/,
  ],
  ['no subject', ' ', good, /^The subject is empty/],
  ['a subject that shouts', 'CONFIRM NOW', good, /shouts/],
  ['marks', 'Confirm!!', good, /several exclamation/],
  ['a long subject', 'a '.repeat(50), good, /longer than 78/],
  ['a picture alone', 'Hello', '<img src=x>{{ .Token }}', /hardly any text/],
  ['many links', 'Hello', good + link('https://example.com').repeat(6), /6 links/],
  ['a number', 'Hello', good + link('https://10.1.2.3/x'), /number instead/],
  ['a shortened link', 'Hello', good + link('https://bit.ly/x'), /hides where/],
  ['an open link', 'Hello', good + link('http://example.com'), /not encrypted/],
  [
    'capitals',
    'Hello',
    '<p>PLEASE CONFIRM THAT THIS IS YOUR ADDRESS NOW AND HERE</p>{{ .Token }}',
    /capitals/,
  ],
  ['a form', 'Hello', `${good}<form></form>`, /forms/],
  ['words', 'Congratulations', good, /congratulations/],
])('%s', (_, subject, html, hint) => {
  expect(spamHints(template, subject, html)).toEqual([expect.stringMatching(hint)])
})

test('a preview has a value for every variable and nothing for others', () => {
  expect(previewOf('{{ .Email }} {{.Token}} {{ .Nothing }}{{ .Data.name }}!')).toBe(
    'ada@example.com 123456 !',
  )
})
