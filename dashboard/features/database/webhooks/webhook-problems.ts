import { webhookTimeout } from '#contract/database/webhooks'
import { nameProblem } from '../../../modules/objects/name-problem.ts'
import { problemsOfHeaders, problemsOfParams } from './pairs.ts'
import type { WebhookDraft } from './webhook-draft.ts'

export type Problems = {
  name?: string
  table?: string
  events?: string
  url?: string
  slug?: string
  timeout?: string
  /** By the id of the row. */
  headers?: Record<string, string>
  params?: Record<string, string>
}

const { least, most } = webhookTimeout
const longestUrl = 2048

/** Why it is no address to call; undefined when it may be one. */
function urlProblem(typed: string): string | undefined {
  const text = typed.trim()
  if (text === '') return 'Give an address, as https://example.com/orders'
  if (!/^https?:\/\/[^/]/i.test(text)) return 'An address begins with https://'
  if (/\s|\p{Cc}/u.test(text) || !URL.canParse(text)) return 'This is no address'
  if (text.length > longestUrl) return `An address has at most ${longestUrl} characters`
  const { username, password } = new URL(text)
  return username || password ? 'Put a name and password into a header, not here' : undefined
}

const timeoutProblem = (typed: string): string | undefined =>
  /^\d{1,6}$/.test(typed.trim()) && Number(typed) >= least && Number(typed) <= most
    ? undefined
    : `A number of milliseconds from ${least} to ${most}`

/** What keeps it from being made, said where it can be mended. `taken`: names of the table's other triggers. */
export function problemsOf(draft: WebhookDraft, taken: readonly string[]): Problems {
  const found: { [K in keyof Problems]: Problems[K] | undefined } = {
    name:
      nameProblem(draft.name) ??
      (taken.includes(draft.name) ? 'The table has a trigger of this name already' : undefined),
    table: draft.table === '' ? 'Choose a table' : undefined,
    events: draft.events.length === 0 ? 'Choose at least one event' : undefined,
    url: draft.kind === 'http' ? urlProblem(draft.url) : undefined,
    slug: draft.kind === 'function' && draft.slug === '' ? 'Choose a function' : undefined,
    timeout: timeoutProblem(draft.timeout),
    headers: problemsOfHeaders(draft.headers),
    params: problemsOfParams(draft.params),
  }
  const wrong = Object.entries(found).filter(([, problem]) => problem !== undefined)
  // The same keys, without those that are fine.
  return Object.fromEntries(wrong) as Problems
}
