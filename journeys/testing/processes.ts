import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Children of a process by a word of their command line, such as `control-plane.js`. */
export function childrenOf(parent: number, word: string): number[] {
  const found: number[] = []
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [, rest = ''] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')
      if (Number(rest.split(' ')[1]) !== parent) continue
      if (readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(word)) found.push(Number(name))
    } catch {
      // The process ended while it was being looked at.
    }
  }
  return found
}
export const childOf = (parent: number, word: string): number | undefined =>
  childrenOf(parent, word)[0]

export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie has ended and only waits to be counted.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

/** Waits until `condition` holds; fails with `what` after the deadline. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = 120_000,
): Promise<void> {
  const deadline = Date.now() + deadlineMs
  while (Date.now() < deadline) {
    if (await condition()) return
    await delay(25)
  }
  throw new Error(`Waited ${deadlineMs} ms in vain: ${what}`)
}
