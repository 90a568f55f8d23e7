import { z } from 'zod'
import { allowanceProblem } from '../network/inner-network.ts'
import { ipRange, type IpRange } from '../network/ip-ranges.ts'

/** More would not fit into what a program can be started with. */
const maxEntries = 64

/** What an operator allows strangers to reach of the inner network. */
export type AllowedNetworks = {
  ranges: readonly IpRange[]
  /** Stand for the addresses that they have. */
  names: readonly string[]
}

const entriesOf = (text: string) => [
  ...new Set(
    text
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
      .filter(Boolean),
  ),
]

const name =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** What is wrong with one entry; undefined when nothing is. */
function entryProblem(entry: string, takesNames: boolean): string | undefined {
  const range = ipRange(entry)
  if (range) return allowanceProblem(range)
  if (entry === 'localhost') return 'cannot be allowed by its name'
  if (name.test(entry))
    return takesNames ? undefined : 'is a host name, and the kernel knows addresses only'
  if (/^[^:]+:\d+$/.test(entry)) return 'has a port, and what is allowed is so with every port'
  if (entry.includes(':')) return 'is IPv6, of which nothing can be allowed'
  if (/^\d[\d.]+\/\d+$/.test(entry)) return 'is no range: it has to begin with its first address'
  return 'is no address, range or host name'
}

const networks = (takesNames = true) =>
  z
    .string()
    .default('')
    .superRefine((value, context) => {
      const entries = entriesOf(value)
      if (entries.length > maxEntries) {
        context.addIssue({
          code: 'custom',
          message: `must not have more than ${maxEntries} parts`,
        })
      }
      for (const entry of entries) {
        const problem = entryProblem(entry, takesNames)
        if (problem) context.addIssue({ code: 'custom', message: `${entry} ${problem}` })
      }
    })

export const networksEnvironment = {
  PLINTH_FUNCTIONS_ALLOWED_NETWORKS: networks(),
  PLINTH_LOG_DRAINS_ALLOWED_NETWORKS: networks(),
  PLINTH_DATABASES_ALLOWED_NETWORKS: networks(false),
}

export function allowedNetworks(setting: string): AllowedNetworks {
  const entries = entriesOf(setting)
  return {
    ranges: entries.flatMap((entry) => ipRange(entry) ?? []),
    names: entries.filter((entry) => !ipRange(entry)),
  }
}
