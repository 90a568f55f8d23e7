import { createHash } from 'node:crypto'
import { Lru } from '#kit/lru'
import { network } from '#kit/network/network'
import type { Identity } from './tokens.ts'

/** What a caller has left, as of a moment; it fills up again evenly. */
type Bucket = { left: number; at: number }

/**
 * Callers of one project that are remembered. Whoever goes on asking stays; with more at once, the ones that have rested
 * longest begin anew.
 */
const maxCallers = 10_000

/**
 * How often each caller of a project may ask. Counted in this process, and only while the project is open: each of
 * several processes counts for itself.
 */
export function createCallerLimits<P extends object>(now: () => number = () => performance.now()) {
  const projects = new WeakMap<P, Lru<Bucket>>()

  /** Counts one request. The seconds to wait, where there were more than `perMinute`; undefined within the limit. */
  return function waitOf(project: P, caller: string, perMinute: number): number | undefined {
    let callers = projects.get(project)
    if (!callers) projects.set(project, (callers = new Lru(maxCallers)))
    const perMs = perMinute / 60_000
    const at = now()
    const before = callers.get(caller)
    // Also where the limit was lowered meanwhile.
    const left = Math.min(perMinute, before ? before.left + (at - before.at) * perMs : perMinute)
    callers.set(caller, { left: left < 1 ? left : left - 1, at })
    return left < 1 ? Math.max(1, Math.ceil((1 - left) / perMs / 1000)) : undefined
  }
}

type Presented = { key: { role: string; sha256?: string }; identity: () => Identity; ip: string }

/**
 * Who asks: the user that a token names, wherever they are; otherwise a key from an address, since one key is in the hands
 * of everybody who opens an app. A token that is none counts for the address that tries it.
 */
export function callerOf({ key, identity, ip }: Presented): string {
  const user = userOf(identity)
  if (user !== undefined) return `user ${createHash('sha256').update(user).digest('base64')}`
  return `key ${key.sha256 ?? key.role} ${network(ip)}`
}

function userOf(identity: () => Identity): string | undefined {
  try {
    // Claims are the JSON object of a verified token.
    const { sub } = JSON.parse(identity().claims) as { sub?: unknown }
    return typeof sub === 'string' && sub !== '' ? sub : undefined
  } catch {
    return undefined
  }
}
