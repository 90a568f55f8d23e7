import type { TextForm } from './auth-config-setting.ts'
import { hookSecretsOf, hookSecretsProblem, hookTargetOf, hookUriProblem } from './auth-hooks.ts'

/** Most characters of all redirect targets together. */
const longestAllowList = 2048

/** Word for word from the requirements' facts. */
const tooManyTargets = 'Too many redirect URLs, please remove some or try to use wildcards'

/** Schemes that run code or read files where a link is opened: the service never leads there. */
const neverSchemes = /^(?:javascript|data|vbscript|file|blob|about):/i

/** Globs of redirect targets as they are written: with commas between them. */
export const targetsOf = (list: string): string[] =>
  list
    .split(',')
    .map((target) => target.trim())
    .filter((target) => target !== '')

/** What is wrong with a text that is set, by its form; undefined when nothing is. An empty text is always fine. */
export function problemOf(form: TextForm, text: string): string | undefined {
  if (text === '' && form !== 'site') return undefined
  return problems[form](text)
}

const problems: Record<TextForm, (text: string) => string | undefined> = {
  site: (text) =>
    /^[a-z][a-z0-9+.-]*:\/\/[^\s,*]+$/i.test(text) && URL.canParse(text) && !neverSchemes.test(text)
      ? undefined
      : 'must be a full address, such as https://example.com',
  'allow-list': (text) => {
    const targets = targetsOf(text)
    if (targets.join(',').length > longestAllowList) return tooManyTargets
    const wrong = targets.find(
      (target) => !/^[a-z][a-z0-9+.-]*:\/\/\S*$/i.test(target) || neverSchemes.test(target),
    )
    return wrong && `${wrong} is no address to lead to, such as https://example.com/**`
  },
  https: (text) =>
    URL.canParse(text) && new URL(text).protocol === 'https:'
      ? undefined
      : 'must be an address that starts with https://',
  host: (text) => (/^[a-z0-9.:-]+$/i.test(text) ? undefined : 'must be the name of a server'),
  port: (text) =>
    /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535
      ? undefined
      : 'must be a number from 1 to 65535',
  email: (text) =>
    /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(text) ? undefined : 'must be an email address',
  sender: (text) => (/[\p{Cc}<>"]/u.test(text) ? 'must be a plain name' : undefined),
  'test-numbers': (text) => {
    const wrong = text
      .split(',')
      .find((pair) => !/^\s*\+?[1-9]\d{6,14}\s*[=:]\s*\d{4,10}\s*$/.test(pair))
    return wrong === undefined
      ? undefined
      : `"${wrong.trim()}" is not of the form 15550001111=123456, with commas between several`
  },
  instant: (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text))
      ? undefined
      : 'must be a moment, such as 2030-01-31T12:00:00Z',
  'code-template': (text) =>
    /\{\{-?\s*\.Code\s*-?\}\}/.test(text) ? undefined : 'must have {{ .Code }} in it',
  line: (text) => (/\p{Cc}/u.test(text) ? 'must be one line' : undefined),
  'hook-uri': (text) => (hookTargetOf(text) ? undefined : hookUriProblem),
  'hook-secrets': (text) =>
    text.startsWith('hidden:') || hookSecretsOf(text).length === text.split('|').length
      ? undefined
      : hookSecretsProblem,
}
