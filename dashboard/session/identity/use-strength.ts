import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { profile } from '#contract/people/profile'
import { call, CallError, queryClient } from '../../api/client.ts'
import { needsCheck, strengthView, type StrengthView } from '../../ui/controls/password-strength.ts'
import { toast } from '../../ui/floats/toast.ts'

const pause = 300

type Strength = { view: StrengthView | undefined; checking: boolean }

const strengthQuery = (password: string) =>
  queryOptions({
    queryKey: [profile.passwordCheck.name, password],
    queryFn: ({ signal }) => call(profile.passwordCheck, { password }, { signal }),
    gcTime: 0,
    staleTime: Infinity,
  })

/**
 * What speaks against a password, for who does not wait until the meter has told. Empty when nothing does, or when nobody
 * can tell at the moment, which `useStrength` says.
 */
export async function weaknessOf(password: string): Promise<string> {
  const checked = needsCheck(password)
    ? await queryClient.fetchQuery(strengthQuery(password)).catch(() => undefined)
    : undefined
  return strengthView(password, checked)?.warning ?? ''
}

/** How strong a password is, asked of the server once typing pauses. What was asked stays in memory only. */
export function useStrength(password: string): Strength {
  const settled = useSettled(password, pause)
  const asked = needsCheck(settled)
  const { data, error, isFetching } = useQuery({
    ...strengthQuery(settled),
    enabled: asked,
  })
  const failure = error instanceof CallError ? error.message : undefined
  useEffect(() => {
    if (failure)
      toast.error(`Failed to check password strength: ${failure}`, { id: 'password-check' })
  }, [failure])
  const known = settled === password ? data : undefined
  return {
    view: strengthView(password, known),
    checking: needsCheck(password) && (settled !== password || isFetching),
  }
}

/** The value once it has not changed for `ms`. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
