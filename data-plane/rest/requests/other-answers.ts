import { contentTypeOf } from '../answers/media.ts'
import { commonHeaders, type Answer } from '../answers/answer.ts'
import { negotiate } from '../answers/negotiate.ts'
import { badBody, Problem } from '../answers/problem.ts'
import { offerOfBody, offerOfQuery, planCall } from '../plan/plan-call.ts'
import { contentRange } from '../query/page.ts'
import { parseQuery } from '../query/parse-query.ts'
import { planAsked } from '../sql/explain.ts'
import { isRead, type Incoming } from './incoming.ts'
import type { Serving } from './prepared.ts'
import { readMedia } from './serve-read.ts'
import { refused } from './body.ts'
import { parseJson } from '#kit/http/json-body'
import { JsonRefusal } from '#kit/http/json-scan'

/** A function of the database whose calls another service answers. It returns one value of JSON. */
export type OtherAnswer = {
  schema: string
  name: string
  /** Bytes of the arguments, which are read here and not by the database. */
  bodyLimit: number
  /**
   * `args` by their names, as JSON gives them; those of a GET are texts. Answers the value that the function returns.
   * @throws Problem
   */
  answer(method: 'GET' | 'POST', args: Readonly<Record<string, unknown>>): Promise<unknown>
}

/** Answers a call by another service; undefined where the database answers. @throws Problem */
export async function answerElsewhere(
  incoming: Incoming,
  serving: Serving,
  other: OtherAnswer | undefined,
): Promise<Answer | undefined> {
  const { method, resource, profile } = incoming
  if (!other || resource.kind !== 'function') return undefined
  if (resource.name !== other.name || profile !== other.schema) return undefined
  if (method !== 'GET' && method !== 'POST') return undefined
  if (planAsked(incoming, serving)) return undefined
  const form = negotiate(incoming.headers.accept, readMedia)
  if (form === 'csv') return undefined
  const body = await other.answer(method, await argumentsOf(incoming, serving, other))
  const headers = commonHeaders(incoming, serving.settings.exposedSchemas, ['tx', 'count'])
  headers['content-range'] = contentRange(0, 1, incoming.prefer.count && 1)
  headers['content-type'] = contentTypeOf(form)
  return { status: 200, headers, body: JSON.stringify(body) }
}

/** What the function is called with: the same refusals as where the database calls it. */
async function argumentsOf(
  { method, rawQuery, body, headers, profile }: Incoming,
  { schema }: Serving,
  { name, bodyLimit }: OtherAnswer,
): Promise<Record<string, unknown>> {
  const reads = isRead(method)
  const query = parseQuery(rawQuery, reads)
  const offer = reads
    ? offerOfQuery(query.args)
    : offerOfBody(body, headers['content-type'], query.columns)
  const call = planCall(schema, profile, name, offer)
  const bytes = Buffer.from(call.value)
  if (bytes.length > bodyLimit) {
    throw new Problem(413, 'PGRST102', `Arguments of ${name} can have ${bodyLimit} bytes`)
  }
  const value = await parseJson(bytes).catch((error: unknown) => {
    if (!(error instanceof JsonRefusal)) throw error
    const found = refused(error)
    throw found.kind === 'refused' ? found.problem : error
  })
  const first: unknown = call.first && Array.isArray(value) ? value[0] : value
  if (typeof first !== 'object' || first === null) throw badBody('The body must be a JSON object')
  const given = new Map(Object.entries(first))
  return Object.fromEntries(call.args.map((argument) => [argument.name, given.get(argument.name)]))
}
