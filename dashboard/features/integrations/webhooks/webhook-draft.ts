import { triggerEvents, type DatabaseTrigger } from '#contract/database/database-triggers'
import { sameList } from '#contract/ddl/function-parts'
import type { TriggerSpec } from '#contract/ddl/triggers'
import { webhookFunction, webhookMethods, webhookTimeout } from '#contract/integrations/webhooks'
import { nameProblem } from '../../../modules/objects/name-problem.ts'

export type WebhookMethod = (typeof webhookMethods)[number]

/** What a trigger tells its function, as far as it can be read. */
export type Told = {
  url: string
  method: WebhookMethod
  timeout: string
  headers: readonly Pair[]
  params: readonly Pair[]
  /** Arguments that somebody wrote in another way, in words. */
  unread: string[]
}

const usual = String(webhookTimeout.usual)

export function toldBy(args: readonly string[]): Told {
  const [url = '', method, headers, params, timeout] = args
  const read = { headers: headersIn(headers), params: paramsIn(params) }
  const known = isLeftOut(method)
    ? 'POST'
    : webhookMethods.find((one) => one === method.toUpperCase())
  const isNumber = !isLeftOut(timeout) && /^\d+$/.test(timeout)
  return {
    url,
    method: known ?? 'POST',
    timeout: isNumber ? timeout : usual,
    headers: read.headers ?? [],
    params: read.params ?? [],
    unread: [
      ...(known ? [] : ['method']),
      ...(read.headers ? [] : ['headers']),
      ...(read.params ? [] : ['parameters']),
      ...(isNumber || isLeftOut(timeout) ? [] : ['timeout']),
    ],
  }
}

const below = (endpoint: string) => `${endpoint.replace(/\/+$/, '')}/functions/v1/`

/** Where an edge function of the project is called. */
export const addressOfFunction = (endpoint: string, slug: string) => `${below(endpoint)}${slug}`

/** The function that an address calls as a whole; undefined for any other address. */
export function functionAt(url: string, endpoint: string): string | undefined {
  const base = below(endpoint)
  if (!url.startsWith(base)) return undefined
  const slug = url.slice(base.length)
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(slug) ? slug : undefined
}

/** A webhook as the panel's form holds it. */
export type WebhookDraft = {
  name: string
  schema: string
  table: string
  events: TriggerSpec['events']
  enabled_mode: TriggerSpec['enabled_mode']
  kind: 'http' | 'function'
  method: WebhookMethod
  url: string
  /** Of the edge function. */
  slug: string
  /** Milliseconds, as typed. */
  timeout: string
  headers: readonly Pair[]
  params: readonly Pair[]
}

const isJsonHeader = ({ name, value }: Pair) =>
  name.toLowerCase() === 'content-type' && value === 'application/json'

export const newWebhook = (schema: string): WebhookDraft => ({
  name: '',
  schema,
  table: '',
  events: ['INSERT'],
  enabled_mode: 'ORIGIN',
  kind: 'http',
  method: 'POST',
  url: '',
  slug: '',
  timeout: String(webhookTimeout.usual),
  headers: [jsonHeader()],
  params: [],
})

/** `endpoint`: the project's address, below which its functions are. */
export function draftOf(trigger: DatabaseTrigger, endpoint: string): WebhookDraft {
  const { name, schema, table, events, enabled_mode, function_args } = trigger
  const { url, method, timeout, headers, params } = toldBy(function_args)
  const slug = functionAt(url, endpoint)
  return {
    name,
    schema,
    table,
    events,
    enabled_mode,
    method,
    timeout,
    headers,
    params,
    kind: slug === undefined ? 'http' : 'function',
    url: slug === undefined ? url : '',
    slug: slug ?? '',
  }
}

/** A body is JSON, and there is none with GET: its header comes and goes with the method. */
export function withMethod(draft: WebhookDraft, method: WebhookMethod): WebhookDraft {
  const named = draft.headers.some(({ name }) => name.trim().toLowerCase() === 'content-type')
  const headers =
    method === 'GET'
      ? draft.headers.filter((header) => !isJsonHeader(header))
      : named
        ? draft.headers
        : [jsonHeader(), ...draft.headers]
  return { ...draft, method, headers }
}

const argumentsOf = (draft: WebhookDraft, endpoint: string) => [
  draft.kind === 'function' ? addressOfFunction(endpoint, draft.slug) : draft.url.trim(),
  draft.method,
  textOfPairs(draft.headers),
  textOfPairs(draft.params),
  draft.timeout.trim(),
]

/** What says the same as before stays as it was written. */
function argumentsFor(draft: WebhookDraft, endpoint: string, before?: DatabaseTrigger): string[] {
  const requested = argumentsOf(draft, endpoint)
  if (!before || toldBy(before.function_args).unread.length > 0) return requested
  const same = sameList(requested, argumentsOf(draftOf(before, endpoint), endpoint), Object.is)
  return same ? before.function_args : requested
}

/** The trigger that it is. What the form does not show of one that is changed stays. */
export function specOf(
  draft: WebhookDraft,
  endpoint: string,
  before?: DatabaseTrigger,
): TriggerSpec {
  const { name, schema, table, events, enabled_mode } = draft
  return {
    activation: before?.activation ?? 'AFTER',
    orientation: before?.orientation ?? 'ROW',
    condition: before?.condition ?? null,
    old_table: before?.old_table ?? null,
    new_table: before?.new_table ?? null,
    constraint: before?.constraint ?? null,
    columns: events.includes('UPDATE') && before?.table === table ? before.columns : [],
    name,
    schema,
    table,
    enabled_mode,
    events: triggerEvents.filter((event) => events.includes(event)),
    function_schema: webhookFunction.schema,
    function_name: webhookFunction.name,
    function_args: argumentsFor(draft, endpoint, before),
  }
}

/** As `books_webhook`, or with a number behind it where the table has that one. */
export function suggestedName(table: string, taken: readonly string[]): string {
  if (table === '') return ''
  // A name has 63 bytes; a letter that is cut in half is left out.
  const start = new TextEncoder().encode(table).slice(0, 50)
  const base = `${new TextDecoder().decode(start).replace(/\ufffd$/, '')}_webhook`
  let name = base
  for (let number = 2; taken.includes(name); number += 1) name = `${base}_${number}`
  return name
}

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

const { least, max } = webhookTimeout
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
  /^\d{1,6}$/.test(typed.trim()) && Number(typed) >= least && Number(typed) <= max
    ? undefined
    : `A number of milliseconds from ${least} to ${max}`

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

/** A header or a parameter as its row in the form holds it. */
export type Pair = { id: string; name: string; value: string }

let count = 0
export const pair = (name = '', value = ''): Pair => ({ id: `pair-${(count += 1)}`, name, value })

const jsonHeader = () => pair('Content-Type', 'application/json')

/** What the function of webhooks takes for nothing. */
const isLeftOut = (text: string | undefined): text is undefined | 'null' =>
  text === undefined || text === 'null'

const headersIn = (text: string | undefined) => (isLeftOut(text) ? [jsonHeader()] : pairsIn(text))
const paramsIn = (text: string | undefined) => (isLeftOut(text) ? [] : pairsIn(text))

/** A JSON object of plain values as rows; undefined when it is something else. */
function pairsIn(text: string): Pair[] | undefined {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined
    const entries = Object.entries(read as Record<string, unknown>)
    if (entries.some(([, value]) => typeof value === 'object')) return undefined
    return entries.map(([name, value]) => pair(name, String(value)))
  } catch {
    return undefined
  }
}

/** Rows that nothing was typed into are none. */
const filled = (pairs: readonly Pair[]) =>
  pairs.filter(({ name, value }) => name.trim() !== '' || value !== '')

const textOfPairs = (pairs: readonly Pair[]): string =>
  JSON.stringify(Object.fromEntries(filled(pairs).map(({ name, value }) => [name.trim(), value])))

/** RFC 9110 §5.6.2 */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/
/** RFC 9110 §5.5, as bytes that Latin-1 has */
const headerValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

type RowProblems = Record<string, string>

/** What is wrong with which row, by its id; undefined when nothing is. */
function problemsOfRows(
  pairs: readonly Pair[],
  key: (name: string) => string,
  problemOf: (row: Pair) => string | undefined,
): RowProblems | undefined {
  const found: RowProblems = {}
  const seen = new Set<string>()
  for (const row of filled(pairs)) {
    const name = key(row.name.trim())
    const wrong =
      name === ''
        ? 'Give it a name'
        : (problemOf(row) ?? (seen.has(name) ? 'This name already exists' : undefined))
    seen.add(name)
    if (wrong) found[row.id] = wrong
  }
  return Object.keys(found).length > 0 ? found : undefined
}

const problemsOfHeaders = (pairs: readonly Pair[]) =>
  problemsOfRows(
    pairs,
    (name) => name.toLowerCase(),
    ({ name, value }) => {
      if (!headerName.test(name.trim())) return 'A header is named with letters, digits and -'
      return headerValue.test(value) ? undefined : 'A header has one line of plain text'
    },
  )

const problemsOfParams = (pairs: readonly Pair[]) =>
  problemsOfRows(
    pairs,
    (name) => name,
    ({ name, value }) => (`${name}${value}`.includes('\0') ? 'It has a NUL character' : undefined),
  )
