import type { AuthSettings } from '#contract/auth/auth-config-keys'
import { authMailKinds, builtInMails, type AuthMailKind } from '#contract/auth/auth-mails'
import type { MailTemplates } from '../auth/mail/mail-templates.ts'

const upper = <K extends AuthMailKind>(kind: K): Uppercase<K> => kind.toUpperCase() as Uppercase<K> // which is what it does

/** The texts that are the project's own. */
export function mailTemplatesOf(settings: AuthSettings): MailTemplates {
  const own = authMailKinds.map((kind) => {
    const subject = settings[`MAILER_SUBJECTS_${upper(kind)}`]
    const html = settings[`MAILER_TEMPLATES_${upper(kind)}_CONTENT`]
    const builtIn = builtInMails[kind]
    const template = {
      ...(subject !== '' && subject !== builtIn.subject && { subject }),
      ...(html !== '' && html !== builtIn.html && { html, text: plainTextOf(html) }),
    }
    return [kind, template] as const
  })
  return Object.fromEntries(own.filter(([, template]) => Object.keys(template).length > 0))
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', nbsp: ' ', amp: '&' }
const unseen = /^(?:style|script|head|title)$/
const blocks = /^\/(?:p|div|h[1-6]|li|tr|ul|ol|table|blockquote)$/
/** Longer tags are read up to here: what people write is far shorter, and searching stays quick whatever they do. */
const longestTag = 3000

/**
 * What a mail says without its looks, for readers that show no HTML: people write one text, and the built-in one beside
 * it would be about something else, in another language maybe. A link stands behind its words.
 */
export function plainTextOf(html: string): string {
  const lower = html.toLowerCase()
  let text = ''
  let link = ''
  for (let at = 0; at < html.length;) {
    const start = html.indexOf('<', at)
    if (start < 0) return tidy(text + wordsOf(html.slice(at)))
    text += wordsOf(html.slice(at, start))
    const isComment = html.startsWith('<!--', start)
    const end = html.indexOf(isComment ? '-->' : '>', start)
    if (end < 0) break
    at = end + (isComment ? 3 : 1)
    if (isComment) continue

    const tag = html.slice(start + 1, Math.min(end, start + longestTag))
    const name = /^\/?[a-z0-9]*/i.exec(tag)?.[0].toLowerCase() ?? ''
    if (unseen.test(name)) {
      const closing = lower.indexOf(`</${name}`, at)
      if (closing < 0) break
      at = closing
    } else if (name === 'a') link = hrefIn(tag)
    else if (name === '/a') {
      if (link !== '') text += `: ${link}`
      link = ''
    } else if (name === 'br') text += '\n'
    else if (blocks.test(name)) text += '\n\n'
  }
  return tidy(text)
}

const hrefIn = (tag: string): string => {
  const [, double, single] = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag) ?? []
  return double ?? single ?? ''
}

const wordsOf = (html: string): string =>
  html
    .replace(/\s+/g, ' ')
    .replace(/&(lt|gt|quot|nbsp|amp);/g, (_, name: string) => entities[name] ?? '')

const tidy = (text: string): string =>
  text
    .replace(/ *\n */g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
