import { useEffect, useState } from 'react'

/** True once `on` has been true for `ms` without a break: what is quick shows no spinner. */
export function useLate(on: boolean, ms = 300): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!on) return undefined
    const timer = setTimeout(() => setLate(true), ms)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [on, ms])
  return on && late
}
