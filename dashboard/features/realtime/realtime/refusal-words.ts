/** What the codes of the service mean to somebody who looks at a channel. */
const words: Record<string, string> = {
  Unauthorized: 'No policy of realtime.messages lets this role read the channel.',
  PrivateOnly:
    'This project only allows private channels. Choose Private, or allow public ones in the settings.',
  RealtimeDisabledForTenant:
    'The realtime service of this project is switched off in its settings.',
  ChannelRateLimitReached: 'This connection is in as many channels as the settings allow.',
  ClientJoinRateLimitReached: 'Clients join more channels in a second than the settings allow.',
  ConnectionRateLimitReached: 'As many clients are connected as the settings allow.',
  InvalidJWTToken: 'The token has expired or lacks a required claim.',
  MalformedJWT: 'The token is not a JWT.',
  JwtSignatureError: 'The token was signed by a key that the project does not know.',
  TopicNameRequired: 'A channel needs a name.',
  IncreaseConnectionPool:
    'All connections of the service to the database are busy. Set a larger pool in the settings.',
  DatabaseLackOfConnections: 'The database takes no more connections.',
  InitializingProjectConnection: 'The database is starting.',
  UnableToConnectToProject: 'The service cannot reach the database of the project.',
  RealtimeRestarting: 'The service is restarting.',
  QueryCanceled: 'The policies of realtime.messages take too long.',
}

/** Trying again would not change these. */
const final = new Set([
  'Unauthorized',
  'PrivateOnly',
  'RealtimeDisabledForTenant',
  'TopicNameRequired',
  'MalformedJWT',
  'JwtSignatureError',
])

export type Refused = { text: string; isFinal: boolean }

/** A reason of the service, "<Code>: <message>" wherever it stands, in plain words; other texts stay as they are. */
export function refusalFrom(reason: string): Refused {
  const code = Object.keys(words).find((name) => reason.includes(`${name}:`))
  if (code === undefined) return { text: reason, isFinal: false }
  return { text: words[code] ?? reason, isFinal: final.has(code) }
}
