import { written, type MailTemplate } from './mail-kinds.ts'

const words = [
  'act now',
  'buy now',
  'cash bonus',
  'click here',
  'congratulations',
  'free money',
  'guaranteed',
  'limited offer',
  'no obligation',
  'risk free',
  'urgent',
  'winner',
  '100% free',
]

const maxLinks = 5
/** Longer subjects are cut where people see them. */
const longestSubject = 78

/** What of a mail its reader sees as words. */
const textOf = (html: string): string =>
  html
    .replace(/<(style|script|title)\b[^>]*>[^]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\{\{[^}]*\}\}/g, ' ')
    .replace(/&\w+;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const lettersIn = (text: string) => text.match(/\p{L}/gu) ?? []
const shareOfCapitals = (text: string): number => {
  const letters = lettersIn(text)
  return letters.length === 0
    ? 0
    : letters.filter((one) => /\p{Lu}/u.test(one)).length / letters.length
}

const subjectHints = (subject: string): string[] => [
  ...(subject.trim() === '' ? ['The subject is empty.'] : []),
  ...(subject.length > longestSubject
    ? [`The subject is longer than ${longestSubject} characters; most readers cut it.`]
    : []),
  ...(lettersIn(subject).length > 3 && shareOfCapitals(subject) > 0.7
    ? ['The subject shouts: write it in small letters.']
    : []),
  ...((subject.match(/[!?$€]/g) ?? []).length > 1
    ? ['The subject has several exclamation, question or money marks.']
    : []),
]

function bodyHints(html: string): string[] {
  const text = textOf(html)
  const links = [...html.matchAll(/<a\b[^>]*\bhref\s*=\s*["']?([^"'\s>]+)/gi)].map(
    ([, to = '']) => to,
  )
  const hints: string[] = []
  if (text.length < 20)
    hints.push('There is hardly any text. Filters distrust emails that have only images and links.')
  if (links.length > maxLinks)
    hints.push(`There are ${links.length} links; ${maxLinks} or fewer look better.`)
  if (links.some((to) => /^https?:\/\/\d+\.\d+\.\d+\.\d+/i.test(to)))
    hints.push('A link leads to a number instead of a name.')
  if (links.some((to) => /^https?:\/\/(bit\.ly|tinyurl\.com|t\.co|goo\.gl|is\.gd)\//i.test(to)))
    hints.push('A shortened link hides where it leads.')
  if (links.some((to) => /^http:\/\//i.test(to))) hints.push('A link is not encrypted (http://).')
  if (text.length > 40 && shareOfCapitals(text) > 0.4)
    hints.push('Much of the text is in capitals.')
  if (/<(script|form|iframe|object)\b/i.test(html))
    hints.push('Scripts, forms and frames do not work in emails and make filters suspicious.')
  return hints
}

/** Why readers or their filters may not like a mail, and whether it does what it is for; our own rules of thumb. */
export function spamHints(
  { variables }: Pick<MailTemplate, 'variables'>,
  subject: string,
  html: string,
): string[] {
  const all = `${subject} ${textOf(html)}`.toLowerCase()
  const known = words.filter((word) => all.includes(word))
  const needed = variables.filter((name) => /^(ConfirmationURL|Token|TokenHash)$/.test(name))
  const isUseful = needed.some((name) =>
    new RegExp(`\\{\\{-?\\s*\\.${name}\\s*-?\\}\\}`).test(html),
  )
  return [
    ...(isUseful
      ? []
      : [`No one can continue with this email: it has none of ${needed.map(written).join(', ')}.`]),
    ...subjectHints(subject),
    ...bodyHints(html),
    ...(known.length > 0 ? [`Spam filters know these words: ${known.join(', ')}.`] : []),
  ]
}
