import { webhookMethods, webhookTimeout } from '#contract/database/webhooks'
import { headersIn, isLeftOut, paramsIn, type Pair } from './pairs.ts'

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
