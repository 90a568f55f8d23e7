/** How the connections to DATABASE_URL can be encrypted: every service makes them in these ways, and in no other. */
const encryptions = ['disable', 'require', 'verify-full']

/** What self-hosted mode cannot begin with, as one line. What would be passed over in silence is refused: it may be about safety. */
export function selfHostedProblem(e: {
  PLINTH_MODE: string
  DATABASE_URL?: string | undefined
}): string | undefined {
  if (e.PLINTH_MODE !== 'self-hosted') return undefined
  if (!e.DATABASE_URL) return 'DATABASE_URL: must be set in self-hosted mode'
  const { searchParams } = new URL(e.DATABASE_URL)
  const mode = searchParams.get('sslmode')
  if (mode !== null && !encryptions.includes(mode))
    return `DATABASE_URL: sslmode must be one of ${encryptions.join(', ')}`
  if (searchParams.has('sslrootcert'))
    return 'DATABASE_URL: sslrootcert is not read; name the file in NODE_EXTRA_CA_CERTS and set sslmode=verify-full'
  return undefined
}
