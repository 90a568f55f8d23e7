import { triggerEvents, type DatabaseTrigger } from '#contract/database/database-triggers'
import { sameList } from '#contract/ddl/function-parts'
import type { TriggerSpec } from '#contract/ddl/triggers'
import { webhookFunction, webhookTimeout } from '#contract/database/webhooks'
import { addressOfFunction, functionAt } from './function-address.ts'
import { jsonHeader, textOfPairs, type Pair } from './pairs.ts'
import { toldBy, type WebhookMethod } from './told.ts'

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
  const wanted = argumentsOf(draft, endpoint)
  if (!before || toldBy(before.function_args).unread.length > 0) return wanted
  const same = sameList(wanted, argumentsOf(draftOf(before, endpoint), endpoint), Object.is)
  return same ? before.function_args : wanted
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
