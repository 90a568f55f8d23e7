import { useEffect, useRef, useState } from 'react'
import { vault } from '#contract/integrations/vault'
import { call, messageOf } from '../../../api/client.ts'
import { toast } from '../../../ui/floats/toast.ts'

/** After this a value is hidden again. */
const shownMs = 30_000

type Shown = { id: string; value: string }

/**
 * One value at a time, for half a minute and while somebody looks. It is in this state alone, and in no cache: the next look asks
 * for it again, and is written down again.
 */
export function useReveal(projectRef: string) {
  const [shown, setShown] = useState<Shown>()
  const [asking, setAsking] = useState<string>()
  /** Answers to what was asked before are late. */
  const latest = useRef(0)
  const hide = () => {
    latest.current += 1
    setShown(undefined)
    setAsking(undefined)
  }
  useEffect(() => {
    if (!shown) return undefined
    const away = () => document.visibilityState === 'hidden' && setShown(undefined)
    const timer = setTimeout(() => setShown(undefined), shownMs)
    document.addEventListener('visibilitychange', away)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', away)
    }
  }, [shown])
  async function reveal(id: string): Promise<void> {
    hide()
    const mine = latest.current
    setAsking(id)
    try {
      const { value } = await call(vault.reveal, { ref: projectRef, id })
      if (mine === latest.current) setShown({ id, value })
    } catch (error) {
      if (mine === latest.current) toast.error(messageOf(error))
    } finally {
      if (mine === latest.current) setAsking(undefined)
    }
  }
  return { shown, asking, reveal, hide }
}
