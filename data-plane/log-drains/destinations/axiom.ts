import { plainEvent, type MakeDestination } from '../drain-event.ts'

export const axiom: MakeDestination<'axiom'> = ({
  api_token: token,
  dataset_name: dataset,
  domain = 'api.axiom.co',
}) => ({
  request: ({ owner, events }) => ({
    url: `https://${domain}/v1/datasets/${encodeURIComponent(dataset)}/ingest`,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(
      events.map((event) => {
        const { timestamp, ...rest } = plainEvent(event, owner)
        return { _time: timestamp, ...rest }
      }),
    ),
    gzip: true,
  }),
})
