import { flags as api } from '#contract/operations/flags'
import { implementOpen } from '#kit/http'
import type { Flags } from './flags.ts'

/** The operator's side; each call carries the internal token. */
export const flagRoutes = (flags: Flags) => [
  implementOpen(api.list, () => flags.list()),
  implementOpen(api.set, (flag, origin) => flags.set(flag, origin)),
  implementOpen(api.remove, ({ key }, origin) => flags.remove(key, origin)),
]
