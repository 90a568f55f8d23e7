import { randomBytes, randomUUID } from 'node:crypto'
import type { VaultKeys } from '../provider.ts'

/** Keys of a vault as the platform would have them, with what a rotation does to them. */
export function testVaultKeys() {
  const keys = new Map<string, Uint8Array>()
  let gone: string[] = []
  let current = ''
  const add = () => {
    current = randomUUID()
    keys.set(current, randomBytes(32))
    return current
  }
  add()
  return {
    of: async (): Promise<VaultKeys> => ({ current, keys: new Map(keys), gone }),
    /** The id of the one that seals. */
    current: () => current,
    bytes: () => [...keys.values()].map((key) => Buffer.from(key)),
    /** A new one that seals, beside the others. */
    add,
    retireOthers() {
      gone = [...keys.keys()].filter((id) => id !== current)
      for (const id of gone) keys.delete(id)
    },
  }
}
