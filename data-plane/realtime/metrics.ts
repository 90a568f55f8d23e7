/** What a project's realtime service has done since this process began. */
export type Counts = {
  /** Channels that were joined. */
  joins: number
  /** Broadcasts that came in. */
  received: number
  /** Messages to clients, each counted for everybody who gets it. */
  delivered: number
  /** How often clients said that they are there, or not any more. */
  presence: number
}

export const noCounts = (): Counts => ({ joins: 0, received: 0, delivered: 0, presence: 0 })

type Measured = { ref: string; connected: number; counts: Counts }

const about = {
  plinth_realtime_connected_clients: [
    'gauge',
    'Sockets that are open',
    (of: Measured) => of.connected,
  ],
  plinth_realtime_channel_joins_total: [
    'counter',
    'Channels that were joined',
    (of: Measured) => of.counts.joins,
  ],
  plinth_realtime_received_total: [
    'counter',
    'Broadcasts that came in',
    (of: Measured) => of.counts.received,
  ],
  plinth_realtime_delivered_total: [
    'counter',
    'Messages to clients',
    (of: Measured) => of.counts.delivered,
  ],
  plinth_realtime_presence_events_total: [
    'counter',
    'Presence events of clients',
    (of: Measured) => of.counts.presence,
  ],
} as const

/** In the text format of Prometheus, one line for each project and measure. */
export const metricsText = (all: readonly Measured[]): string =>
  Object.entries(about)
    .flatMap(([name, [type, help, read]]) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...all.map((one) => `${name}{project="${one.ref}"} ${read(one)}`),
    ])
    .map((line) => `${line}\n`)
    .join('')
