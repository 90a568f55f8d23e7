import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { realpath } from 'node:fs/promises'
import type { IpRange } from '#kit/network/ip-ranges'
import { runsAsRoot } from '#kit/postgres/os-user'
import { guardRules, type UserRange } from './rules.ts'

/** Keeps servers of projects out of the inner network, by rules of the kernel for the users that they run as. */
export type Guard = {
  /** From now on programs of these users, and of no others, are kept out. Undefined when they are, else why they are not. */
  cover(users: readonly UserRange[]): Promise<string | undefined>
  /** In words for the operator, before there is anybody to keep out. */
  rung(): Promise<string>
  /** Nobody is kept out any more: no server of a project runs. */
  lift(): Promise<void>
}

/**
 * Of the installation of a home, which has one table of rules, named by it. Where Plinth does not run as root all servers are its own
 * user's, and there is nothing by which the kernel could tell them from it.
 * @param program the one that sets rules of the kernel (nftables)
 */
export async function createGuard(
  home: string,
  allowed: readonly IpRange[],
  program = 'nft',
): Promise<Guard> {
  const real = await realpath(home).catch(() => home)
  const table = `plinth_${createHash('sha256').update(real).digest('hex').slice(0, 12)}`
  const isPossible = runsAsRoot() && process.platform === 'linux'
  async function cover(users: readonly UserRange[], how: string[] = []) {
    if (!isPossible) return 'the platform is not root'
    return setRules([program, ...how], guardRules(table, users, allowed))
  }
  return {
    cover: (users) => cover(users),
    async rung() {
      const reason = await cover([{ first: 0, last: 0 }], ['--check'])
      return reason === undefined
        ? 'kept out of the inner network'
        : `not kept out of the inner network (${reason})`
    },
    async lift() {
      // A table that is not there is made first, since only what is there can be deleted.
      if (isPossible) await setRules([program], `table inet ${table}\ndelete table inet ${table}\n`)
    },
  }
}

/** All of them or none. Undefined when they hold, else why not. */
async function setRules(
  [program = '', ...how]: readonly string[],
  rules: string,
): Promise<string | undefined> {
  const child = spawn(program, [...how, '-f', '-'], { stdio: ['pipe', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (part) => (said += String(part)))
  // A program that ends before it has read everything says why.
  child.stdin.on('error', () => undefined)
  child.stdin.end(rules)
  try {
    const [code] = await once(child, 'close')
    return code === 0 ? undefined : said.trim().split('\n')[0] || `${program} ended with ${code}`
  } catch {
    return `${program} is not installed`
  }
}
