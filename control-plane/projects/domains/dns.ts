import { Resolver } from 'node:dns/promises'
import type { HostnameLook, RecordLook } from '../../platform-database/tables-projects.ts'

/** What is asked of name servers. */
export type LookAt = (wanted: {
  hostname: string
  target: string
  txtName: string
  txtValue: string
}) => Promise<{ look: HostnameLook; texts: string[] }>

/** DNS codes that say that there is no such record, in contrast to a server that does not answer. */
const nothingThere = new Set(['ENOTFOUND', 'ENODATA'])
/** A name may lead to the target by some others. */
const maxHops = 4
/** What is kept of what somebody's name server says. */
const maxFound = 5
const maxLength = 255

const plain = (name: string) => name.toLowerCase().replace(/\.$/, '')
const kept = (values: readonly string[]) =>
  values.slice(0, maxFound).map((value) => value.slice(0, maxLength))

/** Undefined: no name server told. */
async function answersOf<T>(ask: Promise<T[]>): Promise<T[] | undefined> {
  try {
    return await ask
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return nothingThere.has(code) ? [] : undefined
  }
}

function lookOf(found: readonly string[] | undefined, isWanted: (value: string) => boolean) {
  if (!found) return { state: 'unknown', found: [] } satisfies RecordLook
  if (found.some(isWanted)) return { state: 'found', found: [] } satisfies RecordLook
  const state = found.length === 0 ? 'missing' : 'different'
  return { state, found: kept(found) } satisfies RecordLook
}

/**
 * Looks up the two records of a hostname at these name servers; at the machine's own unless told. It never fails: that nobody
 * answered is an answer.
 * @param servers Addresses, with a port where it is not 53.
 */
export function createLookAt(servers: readonly string[]): LookAt {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)

  /** What the name stands for, one name after the other, up to the target. */
  async function chainOf(hostname: string, target: string): Promise<string[] | undefined> {
    const chain: string[] = []
    for (let at = hostname; chain.length < maxHops && at !== target;) {
      const answers = await answersOf(resolver.resolveCname(at))
      if (!answers) return undefined
      const [next] = answers
      if (next === undefined) return chain
      at = plain(next)
      chain.push(at)
    }
    return chain
  }

  return async ({ hostname, target, txtName, txtValue }) => {
    const [chain, records] = await Promise.all([
      chainOf(hostname, target),
      answersOf(resolver.resolveTxt(txtName)),
    ])
    const texts = records?.map((parts) => parts.join(''))
    return {
      look: {
        cname: lookOf(chain, (name) => name === target),
        txt: lookOf(texts, (text) => text === txtValue),
      },
      texts: texts ?? [],
    }
  }
}
