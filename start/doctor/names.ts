import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Config } from '#kit/config'
import { reasonOf, sayAbout, type Finding } from './finding.ts'

const names = sayAbout('names')

/** Any project has a name of its own, so any one label has to lead here. */
const anyRef = 'abcdefghijklmnopqrst'

/** Nobody asks the DNS for these. */
const isLocal = (host: string) =>
  isIP(host.replace(/^\[|\]$/g, '')) !== 0 || host === 'localhost' || host.endsWith('.localhost')

/** Addresses of a name, by the name servers of the settings or those of the machine. */
async function addressesOf(host: string, servers: readonly string[]): Promise<string[]> {
  if (servers.length === 0) return (await lookup(host, { all: true })).map(({ address }) => address)
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  resolver.setServers(servers)
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = [four, six].flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  if (found.length === 0 && four.status === 'rejected') throw four.reason
  return found
}

/** Whether the names by which people come are in the DNS. */
export async function lookAtNames(
  { url, projectUrl, domains }: Config,
  isSet: (name: string) => boolean,
): Promise<Finding[]> {
  const project = new URL(projectUrl.replaceAll('{ref}', anyRef)).hostname
  const wanted = [
    { setting: 'PLINTH_URL', host: new URL(url).hostname },
    { setting: 'PLINTH_PROJECT_URL', host: project },
    { setting: 'PLINTH_CUSTOM_HOSTNAME_TARGET', host: domains.target ?? 'localhost' },
  ].filter(({ setting, host }) => isSet(setting) && !isLocal(host))
  return Promise.all(
    wanted.map(async ({ setting, host }) => {
      const shown = host.startsWith(`${anyRef}.`) ? host.replace(anyRef, '*') : host
      const todo = `add a record for ${shown}`
      try {
        const found = await addressesOf(host, domains.dnsServers)
        return found.length === 0
          ? names.fail(`${setting}: ${shown} has no address`, todo)
          : names.ok(`${setting}: ${shown} leads to ${found.join(', ')}`)
      } catch (error) {
        return names.fail(`${setting}: ${shown} leads nowhere (${reasonOf(error)})`, todo)
      }
    }),
  )
}
