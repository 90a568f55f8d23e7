import type { Closed } from '#data-plane/functions/network'
import type { Config } from '#kit/config'

const ports: Record<string, number> = {
  'http:': 80,
  'https:': 443,
  'nats:': 4222,
  'postgres:': 5432,
  'postgresql:': 5432,
  'tls:': 4222,
}

/** Where the platform's own programs and databases listen, as far as that is an address of a network. */
export function platformAddresses(config: Config): Closed[] {
  const urls = [
    `http://127.0.0.1:${config.port}`,
    `http://127.0.0.1:${config.projectPort}`,
    config.https && `https://127.0.0.1:${config.https.port}`,
    config.https?.challengePort && `http://127.0.0.1:${config.https.challengePort}`,
    config.controlPlaneUrl,
    config.dataPlaneUrl,
    config.platformDatabaseUrl,
    config.selfHosted?.databaseUrl,
    config.natsUrl,
  ]
  const all = urls.flatMap((url) => (url ? addressOf(new URL(url)) : []))
  const key = ({ host, port }: Closed) => `${host}:${port}`
  return [...new Map(all.map((each) => [key(each), each])).values()]
}

function addressOf({ protocol, hostname, port, searchParams }: URL): Closed[] {
  // A database behind a socket says so here, and then its host is nobody's.
  const host = (searchParams.get('host') ?? hostname).toLowerCase()
  if (host === '' || /[/%]/.test(host)) return []
  return [{ host, port: Number(port || ports[protocol]) }]
}
