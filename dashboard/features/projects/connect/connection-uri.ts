/** Where a Postgres server is, and as whom. Without a password a placeholder stands in its place. */
export type Server = {
  host: string
  port: number
  database: string
  user: string
  password?: string | undefined
  /** It takes encrypted connections only. */
  sslEnforced?: boolean | undefined
}

export const placeholder = '[YOUR-PASSWORD]'

/** Percent-encoded, also what encodeURIComponent leaves and a shell or a .env file would take for its own. */
export const encoded = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** The password as a format writes it, or the placeholder. */
export const passwordIn = ({ password }: Server, encode: (text: string) => string) =>
  password ? encode(password) : placeholder

/** An address of six numbers has colons of its own. */
export const hostIn = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** What psql and nearly every driver take. */
export function connectionUri(server: Server, scheme = 'postgresql'): string {
  const { user, host, port, database, sslEnforced } = server
  const login = `${encoded(user)}:${passwordIn(server, encoded)}`
  const uri = `${scheme}://${login}@${hostIn(host)}:${port}/${encoded(database)}`
  return sslEnforced ? `${uri}?sslmode=require` : uri
}

/** The same for node-postgres, which takes `require` for `verify-full` unless it is told to read it as everybody else does. */
export function nodeUri(server: Server): string {
  const uri = connectionUri(server)
  return server.sslEnforced ? `${uri}&uselibpqcompat=true` : uri
}
