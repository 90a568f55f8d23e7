import { useCallback, useSyncExternalStore } from 'react'

/** True on a phone, unless another width is named. */
export function useNarrow(query = '(max-width: 767px)'): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
