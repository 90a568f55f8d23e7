import { restartableServices, type RestartableService } from '#contract/projects/service-restarts'

/** What runs for a project; the database and the parts that have no restart of their own among them. */
export const listedServices = [
  'db',
  'rest',
  'graphql',
  'auth',
  'storage',
  'realtime',
  'functions',
  'pooler',
] as const
export type ListedService = (typeof listedServices)[number]
/** Those that the page restarts. */
export type Restartable = RestartableService | 'db'

export const canRestart = (service: ListedService): service is Restartable =>
  service === 'db' || restartableServices.some((one) => one === service)

export const serviceNames: Record<ListedService, string> = {
  db: 'Database',
  rest: 'Data API',
  graphql: 'GraphQL',
  auth: 'Auth',
  storage: 'Storage',
  realtime: 'Realtime',
  functions: 'Edge functions',
  pooler: 'Connection pooler',
}

/** What it is, or why it has no restart of its own. */
export const serviceNotes: Record<ListedService, string> = {
  db: 'The Postgres server behind all services',
  rest: 'Tables, views and functions over HTTP',
  graphql: 'A part of the Data API, which restarts with it',
  auth: 'Users, sessions and sign-in',
  storage: 'Keeps nothing between requests, so there is nothing to restart',
  realtime: 'Channels, presence and changes over WebSockets',
  functions: 'Workers that run your functions',
  pooler: 'The shared ports in session and transaction mode',
}

/** What a restart cuts off, and what it leaves alone. */
export const restartWords: Record<Restartable, readonly [string, string]> = {
  db: [
    'The database stops and starts again. Open connections are closed, and running queries end.',
    'All services wait until it is back.',
  ],
  rest: [
    'The Data API and GraphQL reconnect to the database and read its schema again. Running requests have 5 seconds to finish.',
    'Storage shares these connections and goes on with the new ones. The other services are not affected.',
  ],
  auth: [
    'Auth reconnects to the database and drops what it has cached. Running requests have 5 seconds to finish.',
    'Nobody is signed out. The other services are not affected.',
  ],
  realtime: [
    'All clients are disconnected. Client libraries connect again by themselves and rejoin their channels; messages sent meanwhile are missed.',
    'The other services are not affected.',
  ],
  functions: [
    'Idle workers end now, the others when the calls they are answering have finished. The next call starts a new worker.',
    'What a worker keeps in memory is lost. The other services are not affected.',
  ],
  pooler: [
    'All clients of the pooler are disconnected. In session mode that is at once; in transaction mode, open transactions have 5 seconds to finish.',
    'Direct connections to the database and the other services are not affected.',
  ],
}
