/** The parts of an OpenAPI 2.0 document that tell where the server is, as clients reach it. Without an address: none. */
export function addressedBy(address: string | undefined): Record<string, unknown> {
  if (!address || !URL.canParse(address)) return {}
  const { protocol, hostname, port, pathname } = new URL(address)
  const scheme = protocol.slice(0, -1)
  const basePath = pathname === '/' ? '/' : pathname.replace(/\/+$/, '')
  return {
    host: `${hostname}:${port || (scheme === 'https' ? 443 : 80)}`,
    schemes: [scheme],
    basePath,
  }
}

/** The section about security: every path takes a token. */
export const guardedByToken = {
  securityDefinitions: {
    JWT: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: 'Add the token prepending "Bearer " (without quotes) in front of it',
    },
  },
  security: [{ JWT: [] }],
}
