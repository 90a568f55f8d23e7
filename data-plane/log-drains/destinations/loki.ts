import { serviceOf, type DrainEvent, type MakeDestination } from '../drain-event.ts'

const push = '/loki/api/v1/push'

/**
 * A stream for each source, in the order of time as Loki wants it. What is not a label is in the line, as JSON: labels with
 * many values make it slow.
 */
export const loki: MakeDestination<'loki'> = ({ url, username, password, headers }) => {
  const base = url.replace(/\/+$/, '')
  const credentials = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')
  const isNamed = username !== undefined || password !== undefined
  return {
    request: ({ owner, events }) => {
      const streams = new Map<string, DrainEvent[]>()
      for (const event of events.toSorted((a, b) => a.timestamp - b.timestamp))
        streams.set(event.source, [...(streams.get(event.source) ?? []), event])
      return {
        url: base.endsWith(push) ? base : base + push,
        method: 'POST',
        headers: {
          ...headers,
          ...(isNamed && { authorization: `Basic ${credentials}` }),
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          streams: [...streams.values()].map((ofSource) => ({
            stream: {
              source: ofSource[0]?.source,
              [owner.kind]: owner.name,
              service: ofSource[0] && serviceOf(ofSource[0]),
            },
            values: ofSource.map((event) => [`${event.timestamp}000`, lineOf(event)]),
          })),
        }),
        gzip: true,
      }
    },
  }
}

const lineOf = (event: DrainEvent): string =>
  JSON.stringify({ ...event, timestamp: undefined, source: undefined })
