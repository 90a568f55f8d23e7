const name = 'plinth_telemetry'
const year = 365 * 24 * 60 * 60

/** The random value that ties the events of this browser together; made with the first event after consent. */
export function telemetryId(): string {
  const found = new RegExp(`(?:^|; )${name}=([\\w-]{36})(?:;|$)`).exec(document.cookie)?.[1]
  const id = found ?? crypto.randomUUID()
  if (!found) write(id, year)
  return id
}

/** Denying consent clears it (requirements §4). */
export const forgetTelemetryCookie = () => write('', 0)

function write(value: string, maxAge: number): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `${name}=${value}; path=/; max-age=${maxAge}; samesite=lax${secure}`
}
