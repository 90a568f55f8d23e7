import type { IncomingHttpHeaders } from 'node:http'

/** What browsers send and servers do not. Node's own client sends `Sec-Fetch-Mode`, so that one says nothing. */
const marks = ['sec-fetch-site', 'sec-fetch-dest', 'origin'] as const

/** Whether a page seems to send this. Whoever wants to can send other headers: good against mistakes only. */
export const isBrowser = (headers: IncomingHttpHeaders): boolean =>
  /^mozilla\//i.test(headers['user-agent'] ?? '') || marks.some((name) => headers[name])
