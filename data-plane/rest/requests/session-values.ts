import type { IncomingHttpHeaders } from 'node:http'

/** `request.headers` as JSON; cookies have a setting of their own. Node gives the names in lower case already. */
export function headersJson(headers: IncomingHttpHeaders): string {
  const shown: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (name !== 'cookie' && value !== undefined) {
      shown[name] = Array.isArray(value) ? value.join(', ') : value
    }
  }
  return JSON.stringify(shown)
}

export function cookiesJson(header: string | undefined): string {
  if (header === undefined) return '{}'
  const cookies = header.split(';').flatMap((pair): [string, string][] => {
    const equals = pair.indexOf('=')
    return equals < 0 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]]
  })
  return JSON.stringify(Object.fromEntries(cookies))
}
