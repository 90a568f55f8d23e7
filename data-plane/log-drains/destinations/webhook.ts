import { plainEvent, type MakeDestination } from '../drain-event.ts'

/** Any address that takes a JSON array of entries. */
export const webhook: MakeDestination<'webhook'> = ({ url, http, gzip, headers }) => ({
  request: ({ owner, events }) => ({
    url,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(events.map((event) => plainEvent(event, owner))),
    gzip,
    ...(http === 'http2' && { http2: true }),
  }),
})
