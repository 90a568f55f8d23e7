import { useEffect, useState } from 'react'
import { toast } from '../floats/toast.ts'

/** Copies text and says so for 2 seconds. `copied` is true in that time. */
export function useCopy() {
  const [copies, setCopies] = useState(0)
  useEffect(() => {
    if (!copies) return undefined
    const timer = setTimeout(() => setCopies(0), 2000)
    return () => clearTimeout(timer)
  }, [copies])

  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text)
      setCopies((n) => n + 1)
    } catch {
      // The page has no focus, or the browser forbids it.
      toast.error('Unable to copy to clipboard')
    }
  }
  return { copied: copies > 0, copy }
}
