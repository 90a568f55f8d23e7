import { queryOptions } from '@tanstack/react-query'
import { vault } from '#contract/integrations/vault'
import { q } from '../../../api/client.ts'

/** While the key is being rotated it is asked for again until that is done. */
export const vaultQuery = (ref: string) =>
  queryOptions({
    ...q(vault.state, { ref }, 2_000),
    refetchInterval: ({ state }) => (state.data?.key?.rotating ? 1_000 : false),
  })

/** What uses them: read apart, for it looks through the whole database. */
export const usesQuery = (ref: string) => q(vault.uses, { ref }, 30_000)

export const ofVault = [vault.state, vault.uses]

/** A value that was typed or shown is kept no longer than by what is on the screen. */
export const keptNowhere = { gcTime: 0 } as const
