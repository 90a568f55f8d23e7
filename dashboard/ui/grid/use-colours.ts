import { useEffect, useState } from 'react'
import { readColours, type GridColours } from './colours.ts'

/** The colours of the current theme. Changes with the theme, and once when the fonts have arrived, to draw again with them. */
export function useColours(): GridColours {
  const [colours, setColours] = useState(readColours)
  useEffect(() => {
    const again = () => setColours(readColours())
    const observer = new MutationObserver(again)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const system = matchMedia('(prefers-color-scheme: dark), (prefers-contrast: more)')
    system.addEventListener('change', again)
    if (document.fonts.status !== 'loaded') void document.fonts.ready.then(again)
    return () => {
      observer.disconnect()
      system.removeEventListener('change', again)
    }
  }, [])
  return colours
}
