import type { DatadogRegion } from '#contract/observability/log-drain-shapes'
import { isoMicros, serviceOf, type MakeDestination } from '../drain-event.ts'

const sites: Record<DatadogRegion, string> = {
  US1: 'datadoghq.com',
  'US1-FED': 'ddog-gov.com',
  US3: 'us3.datadoghq.com',
  US5: 'us5.datadoghq.com',
  EU: 'datadoghq.eu',
  AP1: 'ap1.datadoghq.com',
}

export const datadog: MakeDestination<'datadog'> = ({ api_key: key, region }) => ({
  request: ({ owner, events }) => ({
    url: `https://http-intake.logs.${sites[region]}/api/v2/logs`,
    method: 'POST',
    headers: { 'dd-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(
      events.map((event) => ({
        ddsource: 'plinth',
        ddtags: `source:${event.source},${owner.kind}:${owner.name}`,
        hostname: owner.name,
        service: serviceOf(event),
        status: event.level,
        message: event.event_message,
        timestamp: isoMicros(event.timestamp),
        id: event.id,
        ...(event.request_id !== undefined && { request_id: event.request_id }),
        attributes: event.attributes,
      })),
    ),
    gzip: true,
  }),
})
