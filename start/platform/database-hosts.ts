import { hostname } from 'node:os'
import type { Config } from '#kit/config'

/** Listening at these means: at each address of the machine. */
const everywhere = ['0.0.0.0', '::']

/** By which names and addresses people reach the databases of projects. */
export function databaseHosts({ url, projectUrl, pooler }: Config): string[] {
  const names = [url, projectUrl.replaceAll('{ref}', 'ref')]
    .map((address) => new URL(address).hostname.replace(/^\[|\]$/g, ''))
    .map((host) => host.replace(/^ref\./, ''))
  const hosts = [...names, pooler.host, hostname().toLowerCase(), 'localhost', '127.0.0.1', '::1']
  return [...new Set(hosts)].filter((host) => !everywhere.includes(host))
}
